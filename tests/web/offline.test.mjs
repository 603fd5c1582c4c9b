// @ts-check
/** A page without a connection: what it showed last, or the games that this phone keeps. */

import assert from "node:assert/strict";

import FakeTimers from "@sinonjs/fake-timers";

import { window } from "./page.mjs";
import { drawn, storage } from "./phone.mjs";
import "../../companion/web/shell/static/surface.mjs";
import { hasCopies } from "../../companion/web/shell/static/copies.mjs";
import { keepPage } from "../../companion/web/shell/static/kept.mjs";

suite("a page without a connection", () => {
  let clock, went, asked, answers, heard, number = 0;
  const listens = new Map();
  const { fetch: before } = globalThis;
  const settle = async () => { for (let step = 0; step < 30; step += 1) await new Promise((come) => setImmediate(come)); };
  setup(async () => {
    await hasCopies();
    drawn("games").clear();
    globalThis.localStorage = storage();
    [went, asked, answers] = [[], [], () => { throw new TypeError("offline"); }];
    globalThis.location = /** @type {any} */ ({
      search: "?game=g1&seat=2", reload: () => went.push("reload"), assign: (href) => went.push(href) });
    globalThis.fetch = /** @type {any} */ (async (address, how) => {
      asked.push([address, how?.cache]);
      return answers(address);
    });
    document.body.innerHTML = '<main class="offline"></main><p class="unknown">Not seen yet.</p>';
    window.HTMLDialogElement.prototype.showModal = function () { this.open = true; };
    clock = FakeTimers.install({ toFake: ["setInterval", "clearInterval"] });
    // What such a page listens to ends with it.
    heard = [];
    for (const on of /** @type {any[]} */ ([document, globalThis])) {
      const { addEventListener } = on;
      listens.set(on, addEventListener);
      on.addEventListener = (...given) => { heard.push([on, ...given]); addEventListener.call(on, ...given); };
    }
  });
  teardown(() => {
    clock.uninstall();
    for (const [on, add] of listens) on.addEventListener = add;
    for (const [on, ...given] of heard) on.removeEventListener(...given);
    globalThis.location = window.location;
    globalThis.fetch = before;
    delete globalThis.localStorage;
    document.body.replaceChildren();
  });
  const opened = async () => {
    await import(`../../companion/web/shell/static/offline.mjs?${(number += 1)}`);
    await settle();
  };

  test("its parts are drawn as they were, in their order, those with a style of their own apart", async () => {
    const part = (markup, more) => ({ of: markup, module: "shell/static/surface.mjs", data: { of: markup, markup }, ...more });
    drawn("games").set("1", { id: "1", changed: "", said: "Game 1", when: "", players: [] });
    keepPage("?game=g1", [part("<p>another page</p>")]);
    keepPage("?game=g1&seat=2", [part("<p>1</p>"), part("<p>2</p>", { style: "shell/static/page.css" })]);
    answers = () => ({ ok: true, text: async () => ".a{}" });
    await opened();
    const [first, second] = [...document.querySelectorAll(".offline > div")];
    assert.equal(first.innerHTML, '<div class="surface"><p>1</p></div>');
    assert.equal(second.shadowRoot?.innerHTML, '<style>.a{}</style><div class="surface"><p>2</p></div>');
    assert.equal(first.shadowRoot, null);
    assert.deepEqual([document.querySelector(".unknown"), document.querySelector("dialog")], [null, null]);
  });

  test("one that was never open says so, with the games that this phone keeps", async () => {
    await opened();
    assert.deepEqual([document.querySelector(".unknown")?.textContent, document.querySelector("dialog")], ["Not seen yet.", null]);
    drawn("games").set("1", { id: "1", changed: "", said: "Game 1", when: "", players: [] });
    await opened();
    assert.equal(document.querySelectorAll("dialog.copies .games li").length, 1);
    assert.equal(document.querySelector(".unknown")?.textContent, "Not seen yet.");
  });

  test("the page itself comes as soon as the server answers, which is asked for every four seconds and at once when online", async () => {
    await opened();
    clock.tick(3999);
    assert.deepEqual(asked, []);
    clock.tick(1);
    await settle();
    assert.deepEqual([asked, went], [[["health", "no-store"]], []]);
    answers = () => ({ ok: false });
    clock.tick(4000);
    await settle();
    assert.deepEqual([asked.length, went], [2, []]);
    answers = () => ({ ok: true });
    clock.tick(4000);
    await settle();
    assert.deepEqual([asked.length, went], [3, ["reload"]]);
    dispatchEvent(new window.Event("online"));
    await settle();
    assert.deepEqual(went, ["reload", "reload"]);
  });

  test("another page is asked for whole, whatever the scripts of this one would do", async () => {
    document.body.insertAdjacentHTML("beforeend", '<a data-go href="/?game=g2"><b>2</b></a><a href="/other">3</a>');
    let reached = 0;
    document.body.addEventListener("click", () => { reached += 1; }, { once: true });
    await opened();
    const click = (selector) => {
      const event = new window.MouseEvent("click", { bubbles: true, cancelable: true });
      document.querySelector(selector)?.dispatchEvent(event);
      return event.defaultPrevented;
    };
    assert.equal(click("a b"), true);
    assert.equal(went[0], "https://companion.test/?game=g2");
    assert.equal(reached, 0);
    const { length } = went;
    document.querySelector('a[href="/other"]')?.addEventListener("click", (event) => event.preventDefault());
    click('a[href="/other"]');
    assert.deepEqual([went.length, reached], [length, 1]);
  });
});
