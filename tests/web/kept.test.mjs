// @ts-check
/** Pages that are kept, and the service worker that shows them. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import vm from "node:vm";

import "./page.mjs";
import { keepPage, keptPage, keptPhotos } from "../../companion/web/shell/static/kept.mjs";

suite("kept pages", () => {
  let kept;
  setup(() => {
    kept = new Map();
    globalThis.localStorage = /** @type {any} */ (new Proxy({
      getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value),
      removeItem: (key) => kept.delete(key),
    }, { ownKeys: () => [...kept.keys()], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }) }));
  });
  teardown(() => { delete globalThis.localStorage; });
  const part = { of: "head", module: "shell/static/surface.mjs", data: { markup: "<p>1</p>" } };

  test("a page is there as it was shown last; another is not", () => {
    keepPage("?game=a", [part]);
    assert.deepEqual(keptPage("?game=a"), [part]);
    assert.deepEqual(keptPage("?game=b"), []);
  });

  test("the twelve last ones are kept", async () => {
    for (let number = 0; number < 15; number += 1) {
      keepPage(`?game=${number}`, [part]);
      await new Promise((come) => setTimeout(come, 2));
    }
    assert.equal(kept.size, 12);
    assert.deepEqual(keptPage("?game=2"), []);
    assert.deepEqual(keptPage("?game=14"), [part]);
  });

  test("a browser that keeps no photos has none", async () => {
    assert.deepEqual(await keptPhotos(), []);
  });
});

suite("service worker", () => {
  const text = readFileSync(new URL("../../companion/web/shell/static/worker.mjs", import.meta.url), "utf8");
  let heard, stores, online, asked, deleted;

  setup(() => {
    [heard, stores, online, asked, deleted] = [{}, new Map(), true, [], []];
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
      URL, location: new URL("https://companion.test/"), Response: { error: () => "error" },
      addEventListener: (name, work) => { heard[name] = work; },
      skipWaiting: async () => {}, clients: { claim: async () => {} },
      caches: {
        open: async (name) => cacheOf(name), keys: async () => [...stores.keys()],
        delete: async (name) => stores.delete(name),
        match: async (request) => [...stores.values()].map((all) => all.get(key(request))).find(Boolean),
      },
      fetch: async (request) => {
        asked.push(key(request));
        if (!online) throw new TypeError("offline");
        return { ok: true, status: 200, of: key(request), clone() { return this; } };
      },
    };
    const files = ["./without-connection", "./assets/v1/shell/static/page.css"];
    vm.runInNewContext(`const VERSION = "v1"; const FILES = ${JSON.stringify(files)};${text}`, context);
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
    await happens("install");
    await happens("activate");
    assert.deepEqual([...stores.keys()].sort(), ["companion-photos", "companion-v1"]);
    assert.equal(stores.get("companion-v1").size, 2);
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
