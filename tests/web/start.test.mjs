// @ts-check
/** What a page does by itself: the connection that is gone, the screen that stays on, the bridge. */

import assert from "node:assert/strict";

import FakeTimers from "@sinonjs/fake-timers";

import { window } from "./page.mjs";
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
