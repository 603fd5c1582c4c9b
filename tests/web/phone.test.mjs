// @ts-check
/** What the phone keeps in drawers, and the copies of games that it keeps there. */

import assert from "node:assert/strict";

import "./page.mjs";
import { Databases, databases, drawn } from "./phone.mjs";

suite("drawers", () => {
  let held, number = 0;
  setup(() => {
    held = new Databases();
    globalThis.indexedDB = /** @type {any} */ (held);
  });
  teardown(() => { globalThis.indexedDB = /** @type {any} */ (databases); });
  /** A script that has opened nothing yet. */
  const opened = async (name = "games") => {
    const { drawer } = await import(`../../companion/web/shell/static/phone.mjs?${(number += 1)}`);
    return drawer(name);
  };

  test("what is put in is there, in the order of its keys, until it is taken out", async () => {
    const games = await opened();
    assert.deepEqual(await games.all(), []);
    assert.equal(await games.put("b", { id: "b" }), true);
    assert.equal(await games.put("a", { id: "a" }), true);
    assert.deepEqual([await games.get("b"), await games.get("c")], [{ id: "b" }, undefined]);
    assert.deepEqual(await games.all(), [{ id: "a" }, { id: "b" }]);
    await games.remove("a");
    assert.deepEqual(await games.all(), [{ id: "b" }]);
    await games.clear();
    assert.deepEqual(await games.all(), []);
  });

  test("each path of a server has a database of its own, with a drawer for each kind", async () => {
    await (await opened()).all();
    assert.deepEqual(held.asked, ["companion /", 1]);
    assert.deepEqual([...(held.held.get("companion /")?.keys() ?? [])], ["games", "changes", "photos"]);
    assert.equal(held.open_.length, 1);
    document.head.insertAdjacentHTML("beforeend", '<base href="/evening/page">');
    const photos = await opened("photos");
    await photos.put("a", 1);
    await photos.put("b", 2);
    document.querySelector("base")?.remove();
    assert.deepEqual([held.asked, held.open_.length], [["companion /evening/", 1], 2]);
  });

  for (const refuses of /** @type {const} */ (["throws", "error", "blocked"]))
    test(`where the browser keeps nothing (${refuses}), drawers are empty and stay so`, async () => {
      held.refuses = refuses;
      const games = await opened();
      assert.deepEqual([await games.put("a", 1), await games.get("a"), await games.all()], [false, undefined, []]);
      assert.equal(await games.remove("a"), undefined);
    });

  test("where there is no room, what was to be kept is said not to be", async () => {
    const games = await opened();
    held.full = true;
    assert.equal(await games.put("a", 1), false);
    held.full = false;
    assert.equal(await games.put("a", 1), true);
  });

  test("a database that another window wants, or that the browser closed, is opened anew", async () => {
    const games = await opened();
    await games.put("a", 1);
    held.open_[0].onversionchange();
    assert.equal(held.open_[0].isClosed, true);
    assert.deepEqual([await games.get("a"), held.open_.length], [1, 2]);
    held.open_[1].onclose();
    assert.deepEqual([await games.get("a"), held.open_.length], [1, 3]);
    held.open_[2].isClosed = true;
    assert.equal(await games.get("a"), undefined);
    assert.deepEqual([await games.get("a"), held.open_.length], [1, 4]);
  });
});

suite("copies of games", () => {
  const { fetch: before } = globalThis;
  let copies, asked, answers;
  const WORDS = { title: "Games here", close: "Close", none: "Nothing yet.", "given.one": "one given", "given.several": "{count} given" };
  const game = (id, more = {}) => ({
    id, sequence: 3, changed: `2026-01-0${id}`, said: `Game ${id}`, when: "today", players: [["Anna <b>", 40], ["Ben", null]],
    card: null, saved: { game: id }, ...more,
  });
  const reply = (body, status = 200) => ({ ok: status < 300, status, json: async () => body, blob: async () => new Blob(["card"]) });

  suiteSetup(async () => {
    copies = await import("../../companion/web/shell/static/copies.mjs");
  });
  setup(async () => {
    await copies.hasCopies();
    document.head.innerHTML = `<meta name="copies-words">`;
    document.head.querySelector("meta")?.setAttribute("content", JSON.stringify(WORDS));
    document.documentElement.lang = "de";
    document.body.replaceChildren();
    document.cookie = "companion-keep-games=; max-age=0";
    drawn("games").clear();
    asked = [];
    answers = {};
    globalThis.fetch = /** @type {any} */ (async (address, how = {}) => {
      asked.push([how.method ?? "GET", address, how.body]);
      const answer = answers[address];
      if (answer instanceof Error || answer === undefined) throw answer ?? new TypeError("offline");
      return answer;
    });
    URL.createObjectURL = () => "blob:card";
    URL.revokeObjectURL = (address) => asked.push(["revoked", address]);
  });
  teardown(() => { globalThis.fetch = before; });
  const compared = (more) => reply({ newer: [], gone: [], lacking: [], ...more });
  const held = () => [...drawn("games").keys()].sort();

  test("what is newer on the server is fetched in the page's language, with its picture; what is gone there goes", async () => {
    drawn("games").set("1", game("1"));
    answers.copies = compared({ newer: ["2", "3"], gone: ["1"] });
    answers["copies/2/de"] = reply(game("2", { card: "card/2.png" }));
    answers["card/2.png"] = reply(null);
    answers["copies/3/de"] = reply(null, 404);
    await copies.keepCopies();
    assert.deepEqual(asked[0], ["POST", "copies", '{"1":3}']);
    assert.deepEqual(held(), ["2"]);
    assert.equal(drawn("games").get("2").picture.size, 4);
    assert.equal(document.querySelector(".told"), null);
  });

  test("only the first games come with pictures, and one whose picture is not to be had without", async () => {
    const ids = Array.from({ length: copies.MAX_PICTURES + 1 }, (_, number) => `g${number}`);
    answers.copies = compared({ newer: ids });
    for (const id of ids) answers[`copies/${id}/de`] = reply(game(id, { card: `card/${id}` }));
    for (const id of ids.slice(1)) answers[`card/${id}`] = reply(null, id === "g1" ? 500 : 200);
    await copies.keepCopies();
    assert.deepEqual(ids.filter((id) => drawn("games").get(id).picture), ids.slice(2, copies.MAX_PICTURES));
    document.documentElement.lang = "";
    answers.copies = compared({ newer: ["x"] });
    answers["copies/x/en"] = reply(game("x"));
    await copies.keepCopies();
    assert.ok(held().includes("x"));
  });

  test("no more than two hundred are kept, the newest", async () => {
    const count = copies.MAX_COPIES + 2;
    for (let number = 0; number < count; number += 1) {
      // In another order than that of their names.
      const [id, changed] = [number, (number + 7) % count].map((each) => String(each).padStart(3, "0"));
      drawn("games").set(id, game(id, { changed }));
    }
    answers.copies = compared({});
    await copies.keepCopies();
    assert.deepEqual([held().length, held().slice(-8)], [200, ["192", "193", "194", "197", "198", "199", "200", "201"]]);
  });

  test("a game that the server lacks is given back, told, and the page asked for anew", async () => {
    let drawnAnew = 0;
    const count = () => { drawnAnew += 1; };
    addEventListener("popstate", count);
    for (const id of ["1", "2", "3", "4", "5"]) drawn("games").set(id, game(id, { refused: id === "3" }));
    answers.copies = compared({ lacking: ["1", "2", "3"] });
    answers.saved = reply(null);
    answers["copies/1/de"] = reply(game("1", { sequence: 9, card: "card/1.png" }));
    answers["card/1.png"] = reply(null);
    await copies.keepCopies();
    removeEventListener("popstate", count);
    assert.deepEqual(asked.filter(([how]) => how === "POST").map(([, address, body]) => [address, body]).slice(1),
      [["saved", '{"game":"1"}'], ["saved", '{"game":"2"}']]);
    assert.deepEqual([drawn("games").get("1").sequence, drawn("games").get("1").picture?.size], [9, 4]);
    const bar = document.querySelector(".told");
    assert.deepEqual([bar?.textContent, bar?.getAttribute("role"), drawnAnew], ["2 given", "status", 1]);
  });

  test("what a server refuses is not offered again; what it has no room for is", async () => {
    drawn("games").set("1", game("1"));
    answers.copies = compared({ lacking: ["1"] });
    answers.saved = reply(null, 503);
    await copies.keepCopies();
    assert.equal(drawn("games").get("1").refused, undefined);
    delete answers.saved;
    await copies.keepCopies();
    assert.equal(drawn("games").get("1").refused, undefined);
    answers.saved = reply(null, 400);
    await copies.keepCopies();
    assert.equal(drawn("games").get("1").refused, true);
    asked = [];
    await copies.keepCopies();
    assert.deepEqual(asked.map(([, address]) => address), ["copies"]);
    assert.equal(document.querySelector(".told"), null);
  });

  test("without a server nothing changes; two at once are one", async () => {
    drawn("games").set("1", game("1"));
    await Promise.all([copies.keepCopies(), copies.keepCopies()]);
    assert.deepEqual([asked.length, held()], [1, ["1"]]);
    answers.copies = reply(null, 500);
    await copies.keepCopies();
    assert.deepEqual([asked.length, held()], [2, ["1"]]);
  });

  test("who wants no games kept has none, as soon as it is said", async () => {
    drawn("games").set("1", game("1"));
    document.cookie = "other=1";
    document.cookie = "companion-keep-games=false";
    document.body.innerHTML = '<input type="checkbox" data-remember="companion-keep-games"><input type="checkbox"><p></p>';
    for (const element of [document.querySelectorAll("input")[1], document.querySelector("p")])
      element?.dispatchEvent(new Event("change", { bubbles: true }));
    await new Promise((come) => setTimeout(come, 5));
    assert.deepEqual(held(), ["1"]);
    document.querySelector("input")?.dispatchEvent(new Event("change", { bubbles: true }));
    await new Promise((come) => setTimeout(come, 5));
    assert.deepEqual([held(), asked], [[], []]);
  });

  test("who wants none while some are fetched has none in the end", async () => {
    answers.copies = compared({ newer: ["1"] });
    let come = () => {};
    const coming = new Promise((given) => { come = () => given(undefined); });
    answers["copies/1/de"] = { ok: true, json: async () => { await coming; return game("1"); } };
    const keeping = copies.keepCopies();
    await new Promise((later) => setTimeout(later, 5));
    document.cookie = "companion-keep-games=false";
    document.body.innerHTML = '<input type="checkbox" data-remember="companion-keep-games">';
    document.querySelector("input")?.dispatchEvent(new Event("change", { bubbles: true }));
    come();
    await keeping;
    await new Promise((later) => setTimeout(later, 5));
    assert.deepEqual([asked.length, held()], [2, []]);
  });

  test("they are shown newest first, as a picture or a table, names as they are", async () => {
    const root = document.body.appendChild(document.createElement("div"));
    (await copies.showCopies(root))();
    assert.equal(root.innerHTML, "<p>Nothing yet.</p>");
    assert.equal(await copies.hasCopies(), false);
    drawn("games").set("1", game("1"));
    drawn("games").set("2", game("2", { picture: new Blob(["card"]) }));
    assert.equal(await copies.hasCopies(), true);
    const letGo = await copies.showCopies(root);
    assert.deepEqual([...root.querySelectorAll("summary span")].map((each) => [each.className, each.textContent]),
      [["", "Game 2"], ["when", "today"], ["", "Game 1"], ["when", "today"]]);
    assert.deepEqual([root.querySelector("img")?.getAttribute("src"), root.querySelector("img")?.alt], ["blob:card", "Anna <b> 40, Ben "]);
    assert.deepEqual([...root.querySelectorAll("tr")].map((each) => [...each.children].map(({ textContent }) => textContent)),
      [["Anna <b>", "40"], ["Ben", "–"]]);
    assert.deepEqual([root.querySelectorAll("ul.games li details").length, root.querySelectorAll("table").length], [2, 1]);
    letGo();
    assert.deepEqual(asked, [["revoked", "blob:card"]]);
  });

  test("a window with them opens on the page, and lets go of all when it is closed", async () => {
    const { prototype } = globalThis.window?.HTMLDialogElement ?? Object.getPrototypeOf(document.createElement("dialog")).constructor;
    prototype.showModal = function () { this.open = true; };
    prototype.close = function () { this.open = false; this.dispatchEvent(new Event("close")); };
    drawn("games").set("2", game("2", { picture: new Blob(["card"]) }));
    // Tapped twice.
    await Promise.all([copies.openCopies(), copies.openCopies()]);
    const dialog = /** @type {HTMLDialogElement} */ (document.querySelector("dialog.copies"));
    assert.deepEqual([dialog.open, dialog.getAttribute("aria-label"), dialog.querySelector("h2")?.textContent], [true, "Games here", "Games here"]);
    assert.equal(dialog.querySelector("button")?.getAttribute("aria-label"), "Close");
    assert.equal(dialog.querySelectorAll(".games li").length, 1);
    dialog.querySelector("button")?.click();
    assert.equal(document.querySelector("dialog"), null);
    assert.deepEqual(asked, [["revoked", "blob:card"]]);
    document.head.replaceChildren();
    await copies.openCopies();
    assert.equal(document.querySelector("dialog")?.getAttribute("aria-label"), "");
    document.querySelector("dialog")?.remove();
  });

  test("what was told is gone after a while", async () => {
    const { setTimeout: later } = globalThis;
    const waits = [];
    globalThis.setTimeout = /** @type {any} */ ((work, ms) => waits.push([ms, work]));
    drawn("games").set("1", game("1"));
    answers.copies = compared({ lacking: ["1"] });
    answers.saved = reply(null);
    await copies.keepCopies();
    globalThis.setTimeout = later;
    assert.equal(document.querySelector(".told")?.textContent, "one given");
    const [[ms, work]] = waits;
    work();
    assert.deepEqual([ms, document.querySelector(".told")], [9000, null]);
  });
});
