// @ts-check
/** Pages that are kept, and the service worker that shows them. */

import assert from "node:assert/strict";

import FakeTimers from "@sinonjs/fake-timers";

import "./page.mjs";
import { drawn, storage } from "./phone.mjs";
import {
  forgetChange, forgetPhoto, keepChange, keepPage, keepPhoto, keptPage, keptPhotos, leftChange,
} from "../../companion/web/shell/static/kept.mjs";

suite("kept pages", () => {
  let kept, clock;
  setup(() => {
    globalThis.localStorage = storage();
    kept = globalThis.localStorage.held;
    clock = FakeTimers.install({ now: 1_700_000_000_000, toFake: ["Date"] });
  });
  teardown(() => {
    clock.uninstall();
    delete globalThis.localStorage;
  });
  const part = { of: "head", module: "shell/static/surface.mjs", data: { markup: "<p>1</p>" } };

  test("a page is there as it was shown last; another is not", () => {
    keepPage("?game=a", [part]);
    assert.deepEqual(keptPage("?game=a"), [part]);
    assert.deepEqual(keptPage("?game=b"), []);
  });

  test("the twelve last ones are kept, whatever else is", () => {
    keepChange("board-1", { seq: 1 });
    kept.set("page ?game=nonsense", "{");
    // In another order than that of their names.
    for (const number of [20, 3, 14, 1, 9, 8, 7, 30, 2, 4, 5, 6]) {
      keepPage(`?game=${number}`, [part]);
      clock.tick(2);
    }
    assert.equal(kept.has("page ?game=nonsense"), false);
    assert.equal(kept.size, 13);
    keepPage("?game=40", [part]);
    assert.deepEqual([keptPage("?game=20"), keptPage("?game=3"), keptPage("?game=40")], [[], [part], [part]]);
    keepPage("?game=3", []);
    clock.tick(2);
    keepPage("?game=41", [part]);
    assert.deepEqual([kept.has("page ?game=3"), kept.has("page ?game=14")], [true, false]);
    assert.equal(kept.size, 13);
    assert.deepEqual(JSON.parse(kept.get("page ?game=41")), { at: 1_700_000_000_026, parts: [part] });
  });

  test("a change is kept until it is forgotten, and left behind by its page or after ten seconds", () => {
    keepChange("board-1", { seq: 1 });
    keepChange("board-2", { seq: 2 }, true);
    assert.deepEqual([...kept.keys()], ["waiting board-1", "waiting board-2"]);
    assert.deepEqual([leftChange("board-1"), leftChange("board-2"), leftChange("board-3")], [null, { seq: 2 }, null]);
    clock.tick(10_000);
    assert.equal(leftChange("board-1"), null);
    clock.tick(1);
    assert.deepEqual(leftChange("board-1"), { seq: 1 });
    forgetChange("board-1");
    assert.deepEqual([leftChange("board-1"), leftChange("board-2")], [null, { seq: 2 }]);
    kept.set("waiting board-4", JSON.stringify({ left: true, at: 0 }));
    assert.equal(leftChange("board-4"), null);
  });

  test("where nothing may be kept, nothing is", () => {
    const denied = () => { throw new Error("denied"); };
    globalThis.localStorage = /** @type {any} */ (new Proxy({ getItem: denied, setItem: denied, removeItem: denied }, { ownKeys: denied }));
    keepPage("?game=1", [part]);
    keepChange("board-1", { seq: 1 });
    forgetChange("board-1");
    assert.deepEqual([keptPage("?game=1"), leftChange("board-1")], [[], null]);
  });

  test("a photo waits for its page, in order, until it is sent", async () => {
    const page = location.search;
    drawn("photos").clear();
    const first = await keepPhoto(new Blob(["one"]), "seat:1");
    clock.tick(1);
    history.replaceState({}, "", "/?game=other");
    await keepPhoto(new Blob(["two"]), "seat:2");
    clock.tick(1);
    history.replaceState({}, "", `/${page}`);
    const third = await keepPhoto(new Blob(["three"]), "seat:3");
    const mine = await keptPhotos();
    assert.deepEqual(mine.map(({ key, to }) => [key, to]), [[first, "seat:1"], [third, "seat:3"]]);
    assert.deepEqual(mine.map(({ at, page: of }) => [at, of]), [[1_700_000_000_000, page], [1_700_000_000_002, page]]);
    assert.deepEqual(mine.map(({ photo }) => photo.size), [3, 5]);
    assert.match(first, /^1700000000000-[0-9a-z]{5,}$/);
    await forgetPhoto(first);
    assert.deepEqual((await keptPhotos()).map(({ key }) => key), [third]);
    assert.equal(drawn("photos").size, 2);
  });

  test("a photo is of this evening or of none: after twelve hours it goes, on whichever page", async () => {
    drawn("photos").clear();
    await keepPhoto(new Blob(["one"]), "seat:1");
    clock.tick(12 * 3600 * 1000);
    assert.equal((await keptPhotos()).length, 1);
    clock.tick(1);
    const young = await keepPhoto(new Blob(["two"]), "seat:1");
    assert.deepEqual((await keptPhotos()).map(({ key }) => key), [young]);
    assert.equal(drawn("photos").size, 1);
  });
});

suite("service worker", () => {
  let heard, stores, online, asked, deleted, status, before, skipped, claimed, number = 0;

  const NAMES = ["addEventListener", "location", "Response", "skipWaiting", "clients", "caches", "fetch", "VERSION", "FILES"];

  setup(async () => {
    [heard, stores, online, asked, deleted, status, skipped, claimed] = [{}, new Map(), true, [], [], 200, 0, 0];
    before = NAMES.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]);
    const key = (request) => new URL(request.url ?? request, "https://companion.test/").href;
    const cacheOf = (name) => {
      if (!stores.has(name)) stores.set(name, new Map());
      const all = stores.get(name);
      return {
        addAll: async (files) => files.forEach((file) => all.set(key(file), `kept ${file}`)),
        add: async (file) => all.set(key(file), `kept anew ${file}`),
        match: async (request) => all.get(key(request)),
        put: async (request, answer) => all.set(key(request), answer),
        keys: async () => [...all.keys()],
        delete: async (request) => { deleted.push(key(request)); all.delete(key(request)); },
      };
    };
    const context = {
      VERSION: "v1", FILES: ["./without-connection", "./assets/v1/shell/static/page.css"], location: new URL("https://companion.test/"), Response: { error: () => "error" },
      addEventListener: (name, work) => { heard[name] = work; },
      skipWaiting: async () => { skipped += 1; }, clients: { claim: async () => { claimed += 1; } },
      caches: {
        open: async (name) => cacheOf(name), keys: async () => [...stores.keys()],
        delete: async (name) => stores.delete(name),
        match: async (request) => [...stores.values()].map((all) => all.get(key(request))).find(Boolean),
      },
      fetch: async (request) => {
        asked.push(key(request));
        if (!online) throw new TypeError("offline");
        return { ok: status < 300, status, of: key(request), clone() { return { ...this, cloned: true }; } };
      },
    };
    for (const [name, value] of Object.entries(context))
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    await import(`../../companion/web/shell/static/worker.mjs?${(number += 1)}`);
  });
  teardown(() => {
    for (const [name, was] of before) {
      if (was) Object.defineProperty(globalThis, name, was);
      else delete globalThis[name];
    }
  });

  async function happens(name, given = {}) {
    let waited, answered;
    heard[name]({ ...given, waitUntil: (work) => { waited = work; }, respondWith: (work) => { answered = work; } });
    const answer = await answered;
    await waited;
    return answer;
  }
  const asks = (path, mode = "no-cors", method = "GET", origin = "https://companion.test") =>
    happens("fetch", { request: { url: `${origin}${path}`, mode, method } });

  test("what a page without a connection needs is there from the beginning; older versions go", async () => {
    stores.set("companion-v0", new Map());
    stores.set("companion-photos", new Map());
    stores.set("of another app", new Map());
    await happens("install");
    await happens("activate");
    assert.deepEqual([...stores.keys()].sort(), ["companion-photos", "companion-v1", "of another app"]);
    assert.equal(stores.get("companion-v1").size, 2);
    assert.deepEqual([skipped, claimed], [1, 1]);
  });

  test("a server that starts again or rests shows the kept page too; what it says otherwise is shown", async () => {
    await happens("install");
    for (status of [502, 503, 504]) assert.match(await asks("/?game=a", "navigate"), /^kept/);
    for (status of [200, 404, 500]) assert.equal((await asks("/?game=a", "navigate")).status, status);
  });

  test("without anything kept, the browser says that nobody is there", async () => {
    online = false;
    assert.equal(await asks("/?game=a", "navigate"), "error");
  });

  test("a page is shown though nothing can be kept of it", async () => {
    stores.set("companion-v1", { set() { throw new Error("full"); }, get: () => undefined, values: () => [] });
    assert.equal((await asks("/?game=a", "navigate")).of, "https://companion.test/?game=a");
  });

  test("a photo is shown though there is no room for it", async () => {
    stores.set("companion-photos", { set() { throw new Error("full"); }, get: () => undefined, keys: () => [] });
    assert.equal((await asks("/photo/p1")).of, "https://companion.test/photo/p1");
  });

  test("what is not kept of this version is asked for; a photo that is gone is not kept", async () => {
    assert.equal((await asks("/assets/v1/shell/static/other.mjs")).of, "https://companion.test/assets/v1/shell/static/other.mjs");
    status = 404;
    assert.equal((await asks("/photo/p1")).status, 404);
    assert.equal(stores.get("companion-photos").size, 0);
    status = 200;
    assert.equal((await asks("/photo/p1")).cloned, undefined);
    assert.equal((await asks("/photo/p1")).cloned, true);
    for (const path of ["/photo/p1/x", "/photo/", "/photo/p.1", "/photos/p1"]) assert.equal(await asks(path), undefined, path);
  });

  test("a page is the server's where it answers, else the kept one, in the language of the last", async () => {
    await happens("install");
    assert.equal((await asks("/?game=a", "navigate")).of, "https://companion.test/?game=a");
    online = false;
    assert.equal(await asks("/?game=a", "navigate"), "kept anew ./without-connection");
  });

  test("scripts of this version are kept ones, without asking; those of another are the server's", async () => {
    await happens("install");
    assert.equal(await asks("/assets/v1/shell/static/page.css"), "kept ./assets/v1/shell/static/page.css");
    assert.equal(await asks("/assets/v2/shell/static/page.css"), undefined);
    assert.deepEqual(asked, []);
  });

  test("the last photos of games are kept; nothing is of other addresses, other sites, or sent", async () => {
    for (let number = 0; number < 26; number += 1) await asks(`/photo/p${number}`);
    assert.deepEqual(deleted, ["https://companion.test/photo/p0", "https://companion.test/photo/p1"]);
    online = false;
    assert.equal((await asks("/photo/p7")).of, "https://companion.test/photo/p7");
    assert.equal(await asks("/saved/companion.json"), undefined);
    assert.equal(await asks("/photo", "cors", "POST"), undefined);
    assert.equal(await asks("/photo/p7", "cors", "GET", "https://other.test"), undefined);
  });
});
