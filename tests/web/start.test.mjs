// @ts-check
/** What a page does by itself: the connection that is gone, the screen that stays on, the bridge. */

import assert from "node:assert/strict";

import FakeTimers from "@sinonjs/fake-timers";

import { window } from "./page.mjs";
import { drawn } from "./phone.mjs";
import { hasCopies } from "../../companion/web/shell/static/copies.mjs";
import { mount } from "../../companion/web/shell/static/bridge.mjs";

suite("page", () => {
  let clock, awake, first;
  const settle = async () => {
    for (let step = 0; step < 5; step += 1) await clock.tickAsync(0);
  };
  suiteSetup(async () => {
    document.head.innerHTML = '<meta name="no-connection" content="No connection.">';
    document.body.innerHTML = '<div data-testid="stApp"></div>';
    awake = [];
    navigator.wakeLock = { request: async (kind) => void awake.push(kind) };
    Object.defineProperty(document, "visibilityState", { value: "visible", configurable: true });
    history.replaceState({}, "", "/?game=g1");
    // A page is begun once, however often the tests run.
    first = /** @type {any} */ (globalThis).pageBegun ? [] : ["screen"];
    /** @type {any} */ (globalThis).pageBegun = true;
    await import("../../companion/web/shell/static/page.mjs");
  });
  setup(() => {
    clock = FakeTimers.install();
    document.head.innerHTML = '<meta name="no-connection" content="No connection.">';
    document.body.innerHTML = '<div data-testid="stApp"></div>';
  });
  teardown(async () => {
    app()?.setAttribute("data-test-connection-state", "CONNECTED");
    await settle();
    clock.uninstall();
  });
  const app = () => document.querySelector('[data-testid="stApp"]');
  const is = async (state) => {
    app().setAttribute("data-test-connection-state", state);
    await settle();
  };
  const bar = () => document.querySelector(".no-connection");

  test("before there was a connection nothing is said of its lack", async function () {
    // Once in the life of a page.
    if (/** @type {any} */ (globalThis).connectedBefore) this.skip();
    /** @type {any} */ (globalThis).connectedBefore = true;
    await is("CONNECTING");
    clock.tick(5000);
    assert.equal(bar(), null);
  });

  test("the bridge is there for what Streamlit brings", () => {
    assert.equal(/** @type {any} */ (globalThis).companion, mount);
  });

  test("the screen stays on while a game is open and seen, asked for anew when the page comes back", () => {
    assert.deepEqual(awake.slice(), first);
    document.dispatchEvent(new window.Event("visibilitychange"));
    dispatchEvent(new window.PopStateEvent("popstate"));
    assert.equal(awake.length, first.length + 2);
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    document.dispatchEvent(new window.Event("visibilitychange"));
    Object.defineProperty(document, "visibilityState", { value: "visible", configurable: true });
    history.replaceState({}, "", "/");
    dispatchEvent(new window.PopStateEvent("popstate"));
    assert.equal(awake.length, first.length + 2);
    history.replaceState({}, "", "/?game=g1");
    navigator.wakeLock = { request: async () => { throw new Error("battery"); } };
    document.dispatchEvent(new window.Event("visibilitychange"));
    delete navigator.wakeLock;
    document.dispatchEvent(new window.Event("visibilitychange"));
  });

  test("a connection that is gone is said after a moment, in the page's language, until it is back", async () => {
    await is("CONNECTED");
    await is("DISCONNECTED");
    clock.tick(1499);
    assert.equal(bar(), null);
    clock.tick(1);
    assert.deepEqual([bar()?.textContent, bar()?.getAttribute("role")], ["No connection.", "status"]);
    await is("CONNECTING");
    clock.tick(3000);
    assert.equal(document.querySelectorAll(".no-connection").length, 1);
    await is("CONNECTED");
    assert.equal(bar(), null);
  });

  test("the words come after the line that they stand in, so that they are read out", async () => {
    await is("CONNECTED");
    await is("DISCONNECTED");
    const seen = new MutationObserver(() => {});
    seen.observe(document.body, { childList: true, subtree: true });
    clock.tick(1500);
    const steps = seen.takeRecords().map(({ target }) => target);
    seen.disconnect();
    assert.deepEqual(steps, [document.body, bar()]);
  });

  test("one that is back soon is not worth a word; the next one begins anew", async () => {
    await is("CONNECTED");
    await is("DISCONNECTED");
    clock.tick(1000);
    await is("CONNECTED");
    clock.tick(5000);
    assert.equal(bar(), null);
    await is("DISCONNECTED");
    clock.tick(1499);
    assert.equal(bar(), null);
    clock.tick(1);
    assert.notEqual(bar(), null);
  });

  test("a connection that is back is told once to whatever waits for it", async () => {
    let told = 0;
    const hear = () => (told += 1);
    addEventListener("connected", hear);
    await is("CONNECTED");
    await is("DISCONNECTED");
    await is("CONNECTING");
    assert.equal(told, 0);
    await is("CONNECTED");
    await is("CONNECTED");
    removeEventListener("connected", hear);
    assert.equal(told, 1);
  });

  test("the screen is not asked for where there is no game", () => {
    const { length } = awake;
    history.replaceState({}, "", "/?view=history");
    dispatchEvent(new window.PopStateEvent("popstate"));
    history.replaceState({}, "", "/?game=g1");
    assert.equal(awake.length, length);
  });

  suite("games that this phone keeps", () => {
    let asked;
    setup(async () => {
      asked = [];
      await hasCopies();
      drawn("games").clear();
      document.head.innerHTML = '<meta name="no-connection" content="No connection."><meta name="copies-words">';
      document.querySelector('[name="copies-words"]')?.setAttribute("content", '{"title": "Games here", "close": "Close", "none": "None"}');
      globalThis.fetch = /** @type {any} */ (async (address) => {
        asked.push(address);
        throw new TypeError("offline");
      });
      clock.tick(10_000);
      await settle();
      asked.length = 0;
    });

    test("are looked after three seconds after the last thing that happened, once", async () => {
      await is("CONNECTED");
      dispatchEvent(new window.PopStateEvent("popstate"));
      clock.tick(2000);
      document.dispatchEvent(new window.Event("visibilitychange"));
      clock.tick(2999);
      await settle();
      assert.deepEqual(asked, []);
      clock.tick(1);
      await settle();
      assert.deepEqual(asked, ["copies"]);
      dispatchEvent(new window.PopStateEvent("popstate"));
      clock.tick(3000);
      await settle();
      assert.deepEqual(asked, ["copies", "copies"]);
    });

    test("are looked after again when the connection is back, not each time that something is drawn", async () => {
      await is("CONNECTED");
      clock.tick(5000);
      await settle();
      asked.length = 0;
      await is("CONNECTED");
      document.body.append(document.createElement("p"));
      await settle();
      clock.tick(5000);
      await settle();
      assert.deepEqual(asked, []);
      await is("DISCONNECTED");
      await is("CONNECTED");
      clock.tick(3000);
      await settle();
      assert.deepEqual(asked, ["copies"]);
    });

    test("are a tap away without a connection, if there are any", async () => {
      window.HTMLDialogElement.prototype.showModal = function () { this.open = true; };
      await is("CONNECTED");
      await is("DISCONNECTED");
      clock.tick(1500);
      await settle();
      assert.equal(bar()?.querySelector("button"), null);
      await is("CONNECTED");
      drawn("games").set("1", { id: "1", changed: "", said: "Game 1", when: "", players: [] });
      await is("DISCONNECTED");
      clock.tick(1500);
      await settle();
      const button = bar()?.querySelector("button");
      assert.equal(button?.textContent, "Games here");
      bar()?.click();
      document.dispatchEvent(new window.MouseEvent("click"));
      await settle();
      assert.equal(document.querySelector("dialog"), null);
      button?.dispatchEvent(new window.MouseEvent("click", { bubbles: true }));
      await settle();
      assert.equal(document.querySelector("dialog.copies h2")?.textContent, "Games here");
    });
  });

  test("the service worker is asked for three seconds after the page is there, where there are any", async () => {
    const registered = [];
    dispatchEvent(new window.Event("load"));
    clock.tick(3000);
    Object.assign(navigator, { serviceWorker: { register: async (address) => { registered.push(address); throw new Error("private"); } } });
    dispatchEvent(new window.Event("load"));
    clock.tick(2999);
    assert.deepEqual(registered, []);
    clock.tick(1);
    await settle();
    assert.deepEqual(registered, ["./sw.js"]);
    delete /** @type {any} */ (navigator).serviceWorker;
  });

  test("Streamlit's own dialog, which would catch the next tap, is closed", async () => {
    let closed = 0;
    document.body.insertAdjacentHTML("beforeend", '<div data-testid="stDialog"><section><button>x</button></section></div>');
    document.querySelector("section button").addEventListener("click", (event) => {
      closed += 1;
      /** @type {any} */ (event.target).closest("[data-testid]").remove();
    });
    await settle();
    assert.equal(closed, 1);
  });

  test("a page without the words says nothing wrong", async () => {
    document.head.replaceChildren();
    await is("CONNECTED");
    await is("DISCONNECTED");
    clock.tick(1500);
    assert.equal(bar()?.textContent, "");
  });
});
