// @ts-check
/** The bridge: parts that Streamlit brings, changes and takes away. */

import assert from "node:assert/strict";

import FakeTimers from "@sinonjs/fake-timers";

import { window } from "./page.mjs";
import { storage } from "./phone.mjs";

const soon = () => new Promise((come) => setTimeout(come, 20));
const settle = async () => { for (let step = 0; step < 30; step += 1) await new Promise((come) => setImmediate(come)); };

suite("bridge", () => {
  // Its own address names the version of the scripts, as on a server.
  const version = new URL("../../companion/web/", import.meta.url).pathname.split("/").at(-2);
  let mount, reloads;

  suiteSetup(async () => {
    ({ mount } = await import("../../companion/web/shell/static/bridge.mjs"));
  });
  setup(() => {
    reloads = 0;
    globalThis.location = { ...window.location, reload: () => (reloads += 1) };
    sessionStorage.clear();
    document.head.replaceChildren();
    document.body.replaceChildren();
  });
  teardown(() => {
    for (const end of ends.splice(0)) end();
    globalThis.location = window.location;
  });

  const parent = () => document.body.appendChild(document.createElement("div"));
  const brought = (into, of, markup) => {
    const sent = [];
    return {
      parentElement: into, data: { of, markup }, sent,
      setStateValue: (name, value) => sent.push(["state", name, value]),
      setTriggerValue: (name, value) => sent.push(["trigger", name, value]),
    };
  };
  const ends = [];
  function show(mounted, module = "shell/static/surface.mjs", style = undefined) {
    const end = mount(mounted, version, module, style);
    ends.push(end);
    return end;
  }

  test("a part is drawn by its module, and again by what comes later, in the same place", async () => {
    const into = parent();
    show(brought(into, "one", "<p>1</p>"));
    assert.equal(into.innerHTML, "");
    await soon();
    assert.equal(into.innerHTML, '<div class="surface"><p>1</p></div>');
    const element = into.firstChild;
    show(brought(into, "one", "<p>2</p>"));
    assert.equal(into.innerHTML, '<div class="surface"><p>2</p></div>');
    assert.equal(into.firstChild, element);
  });

  test("what comes before the module is there is drawn with it, the newest alone", async () => {
    const into = parent();
    show(brought(into, "one", "<p>1</p>"));
    show(brought(into, "one", "<p>2</p>"));
    await soon();
    assert.equal(into.innerHTML, '<div class="surface"><p>2</p></div>');
  });

  suite("kept for when there is no connection", () => {
    let clock;
    setup(() => {
      globalThis.localStorage = storage();
      clock = FakeTimers.install({ toFake: ["setTimeout", "clearTimeout"] });
    });
    teardown(() => {
      clock.uninstall();
      delete globalThis.localStorage;
    });
    const page = () => JSON.parse(globalThis.localStorage.held.get("page ?game=g1") ?? "null")?.parts;

    test("a page is kept a moment later, its parts in the order in which they stand, with all that came once", async () => {
      const [above, below] = [parent(), parent()];
      const second = brought(below, "two", "<p>2</p>");
      show({ ...second, data: { ...second.data, dossier: { id: "d1" } } }, undefined, undefined);
      await settle();
      show(brought(above, "one", "<p>1</p>"));
      await settle();
      show(brought(below, "two", "<p>3</p>"));
      clock.tick(799);
      assert.equal(page(), undefined);
      clock.tick(1);
      const of = (name, markup, more) => ({ of: name, module: "shell/static/surface.mjs", data: { of: name, markup, ...more } });
      assert.deepEqual(page(), [of("one", "<p>1</p>"), of("two", "<p>3</p>", { dossier: { id: "d1" } })]);
      show({ ...second, data: { ...second.data, dossier: { id: "d2" } } });
      clock.tick(800);
      assert.deepEqual(page()[1].data.dossier, { id: "d2" });
    });

    test("what is gone from the page is not kept with it; a page without parts stays as it was", async () => {
      const [one, two] = [parent(), parent()];
      show(brought(one, "one", "<p>1</p>"));
      const away = show(brought(two, "two", "<p>2</p>"));
      await settle();
      clock.tick(800);
      assert.deepEqual(page().map(({ of }) => of), ["one", "two"]);
      away();
      show(brought(one, "one", "<p>1</p>"));
      clock.tick(800);
      assert.deepEqual(page().map(({ of }) => of), ["one"]);
      const three = parent();
      show(brought(three, "three", ""));
      await settle();
      three.remove();
      show(brought(one, "one", "<p>1</p>"));
      clock.tick(800);
      assert.deepEqual(page().map(({ of }) => of), ["one"]);
      one.remove();
      show(brought(one, "one", "<p>1</p>"));
      clock.tick(800);
      assert.deepEqual(page().map(({ of }) => of), ["one"]);
    });

    test("a part in a shadow tree stands where its host stands, and keeps its style", async () => {
      const [host, below, style] = [parent(), parent(), "shell/static/page.css"];
      globalThis.fetch = /** @type {any} */ (async () => ({ ok: true, text: async () => ".a{}" }));
      show(brought(below, "two", ""));
      await settle();
      show(brought(host.attachShadow({ mode: "open" }), "one", ""), "shell/static/surface.mjs", style);
      await settle();
      clock.tick(800);
      assert.deepEqual(page().map(({ of, style: its }) => [of, its]), [["one", style], ["two", undefined]]);
    });
  });

  test("another part in the same place is another one", async () => {
    const into = parent();
    show(brought(into, "one", "<p>1</p>"));
    await soon();
    const element = into.firstChild;
    show(brought(into, "two", "<p>2</p>"));
    assert.equal(element.isConnected, false);
    await soon();
    assert.equal(into.innerHTML, '<div class="surface"><p>2</p></div>');
    assert.notEqual(into.firstChild, element);
  });

  test("a part that is taken away is gone; one that was handed over again since stays", async () => {
    const into = parent();
    const first = show(brought(into, "one", "<p>1</p>"));
    await soon();
    const second = show(brought(into, "one", "<p>2</p>"));
    first();
    assert.match(into.innerHTML, /<p>2<\/p>/);
    second();
    assert.equal(into.innerHTML, "");
    show(brought(into, "one", "<p>3</p>"));
    await soon();
    assert.match(into.innerHTML, /<p>3<\/p>/);
  });

  test("one that is taken away before its module is there is never drawn", async () => {
    const into = parent();
    show(brought(into, "one", "<p>1</p>"))();
    await soon();
    assert.equal(into.innerHTML, "");
  });

  test("a part whose place was emptied stands there again", async () => {
    const into = parent();
    show(brought(into, "one", "<p>1</p>"));
    await soon();
    into.replaceChildren();
    show(brought(into, "one", "<p>2</p>"));
    assert.match(into.innerHTML, /<p>2<\/p>/);
  });

  test("what is done once is a trigger, by the newest that was handed over", async () => {
    const into = parent();
    const [first, second] = [brought(into, "one", "<button data-do=a>x</button>"), brought(into, "one", "<button data-do=a>y</button>")];
    show(first);
    await soon();
    show(second);
    into.querySelector("button").click();
    assert.equal(first.sent.length, 0);
    const [[kind, name, message]] = second.sent;
    assert.deepEqual([kind, name, message.seq, message.done], ["trigger", "sent", 1, [{ seq: 1, do: "a", value: "" }]]);
  });

  test("what is kept is a state, and no two are the same", async () => {
    const into = parent();
    const mounted = { ...brought(into, "one", ""), data: { of: "one", piece: "clock", words: {}, seconds: 0, since: null, now: 0 } };
    await import("../../companion/web/pip_dominoes/static/pieces.mjs");
    show(mounted, "pip_dominoes/static/pieces.mjs");
    await soon();
    into.querySelector('[data-do="start"]').click();
    into.querySelector('[data-do="stop"]').click();
    const [[kind, name, one], [, , two]] = mounted.sent;
    assert.deepEqual([kind, name, one.seq, two.seq], ["state", "sent", 1, 2]);
    assert.notEqual(one.again, two.again);
  });

  test("a style comes once for all, and stands with each part that needs it", async () => {
    const asked = [];
    globalThis.fetch = /** @type {any} */ (async (address) => {
      asked.push(String(address));
      return { ok: true, text: async () => ".a{}" };
    });
    const [one, two, style] = [parent(), parent(), `shell/static/${crypto.randomUUID()}.css`];
    show(brought(one, "one", "<p>1</p>"), "shell/static/surface.mjs", style);
    show(brought(two, "two", "<p>2</p>"), "shell/static/surface.mjs", style);
    await soon();
    for (const each of [one, two]) assert.equal(each.querySelector("style")?.textContent, ".a{}");
    assert.equal(asked.length, 1);
    assert.equal(asked[0].endsWith(`/companion/web/${style}`), true);
  });

  test("what does not come by a poor connection is asked for again, unless its part is gone", async () => {
    const clock = FakeTimers.install({ toFake: ["setTimeout", "clearTimeout"], shouldClearNativeTimers: true });
    const { error } = console;
    const said = [];
    console.error = (each) => said.push(String(each));
    try {
      let answer = { ok: false, status: 503, text: async () => "sorry" };
      let asked = 0;
      globalThis.fetch = /** @type {any} */ (async () => { asked += 1; return answer; });
      const [into, away, style] = [parent(), parent(), `shell/static/${crypto.randomUUID()}.css`];
      show(brought(into, "one", "<p>1</p>"), "shell/static/surface.mjs", style);
      show(brought(away, "two", "<p>2</p>"), "shell/static/surface.mjs", style);
      await settle();
      assert.deepEqual([into.innerHTML, away.innerHTML, asked, said.length], ["", "", 1, 2]);
      assert.match(said[0], new RegExp(`${style}: 503`));
      ends.pop()();
      show(brought(into, "one", "<p>3</p>"), "shell/static/surface.mjs", style);
      answer = { ok: true, status: 200, text: async () => ".a{}" };
      clock.tick(1999);
      await settle();
      assert.equal(asked, 1);
      clock.tick(1);
      await settle();
      assert.equal(asked, 2);
      assert.equal(into.innerHTML, '<style>.a{}</style><div class="surface"><p>3</p></div>');
      assert.equal(away.innerHTML, "");
    } finally {
      console.error = error;
      clock.uninstall();
    }
  });

  test("a page of another version loads itself anew, once, and draws nothing", async () => {
    const into = parent();
    assert.equal(mount(brought(into, "one", "<p>1</p>"), "000000000000", "shell/static/surface.mjs"), undefined);
    assert.equal(reloads, 1);
    mount(brought(into, "one", "<p>1</p>"), "000000000000", "shell/static/surface.mjs");
    assert.equal(reloads, 1);
    mount(brought(into, "one", "<p>1</p>"), "111111111111", "shell/static/surface.mjs");
    assert.equal(reloads, 2);
    assert.equal(sessionStorage.getItem("reloaded for"), "111111111111");
    await soon();
    assert.equal(into.innerHTML, "");
  });

  test("where nothing may be kept, a page of another version does not load itself anew without end", () => {
    const { sessionStorage: kept } = globalThis;
    globalThis.sessionStorage = /** @type {any} */ ({ getItem() { throw new Error("denied"); } });
    mount(brought(parent(), "one", "<p>1</p>"), "222222222222", "shell/static/surface.mjs");
    globalThis.sessionStorage = /** @type {any} */ ({ getItem: () => null, setItem() { throw new Error("full"); } });
    mount(brought(parent(), "one", "<p>1</p>"), "222222222222", "shell/static/surface.mjs");
    globalThis.sessionStorage = kept;
    assert.equal(reloads, 0);
  });

  test("all that a module needs is asked for at once, and only once", async () => {
    const meta = document.head.appendChild(document.createElement("meta"));
    meta.name = "scripts";
    const module = `pip_dominoes/static/hand.mjs?${crypto.randomUUID()}`;
    meta.content = JSON.stringify({ [module]: ["a/static/x.mjs", "b/static/y.mjs"] });
    const into = parent();
    for (const of of ["one", "two"]) show(brought(into, of, ""), module)();
    show(brought(into, "three", ""), "shell/static/surface.mjs")();
    const links = [...document.head.querySelectorAll("link")].map(({ rel, href }) => [rel, href.split("/").slice(-3).join("/")]);
    assert.deepEqual(links, [["modulepreload", "a/static/x.mjs"], ["modulepreload", "b/static/y.mjs"]]);
  });
});
