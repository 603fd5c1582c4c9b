// @ts-check
/** Markup on a page: made, brought in, tapped and typed in; parts that come, change and go. */

import assert from "node:assert/strict";

import { place, press, sized, tap, watchers, window } from "./page.mjs";
import { button, morph, quoted, say, sayCount } from "../../companion/web/shell/static/markup.mjs";
import { mount as mountSurface, once } from "../../companion/web/shell/static/surface.mjs";

const dispatched = (element, type, more = {}) => {
  const event = new window.Event(type, { bubbles: true, cancelable: true, ...more });
  element.dispatchEvent(event);
  return event;
};

suite("markup", () => {
  test("texts can bring no markup along", () => {
    assert.equal(quoted('<b a="1">&\'x'), "&#60;b a=&#34;1&#34;&#62;&#38;'x");
  });

  test("words are filled in; what has no words is said by its code", () => {
    const words = { x: "{a} and {b}, {a}", "crowns.one": "1 crown", "crowns.several": "{count} crowns" };
    assert.equal(say(words, "x", { a: 1, b: "two" }), "1 and two, 1");
    assert.equal(say(words, "x", { a: 0 }), "0 and , 0");
    assert.equal(say(words, "y"), "y");
    assert.equal(sayCount(words, "crowns", 1), "1 crown");
    assert.equal(sayCount(words, "crowns", 0), "0 crowns");
    assert.equal(sayCount(words, "crowns", 12), "12 crowns");
  });

  test("a button says what it does, its name, whether it is pressed, and nothing else", () => {
    assert.equal(button("set", "<b>S</b>"), '<button type="button" data-do="set"><b>S</b></button>');
    assert.equal(
      button("set", "S", { name: '"n"', value: 0, pressed: false, off: true, look: "wide", style: "top:1px" }),
      '<button type="button" data-do="set" data-value="0" aria-label="&#34;n&#34;" title="&#34;n&#34;" ' +
        'aria-pressed="false" disabled class="wide" style="top:1px">S</button>',
    );
    assert.match(button("set", "S", { pressed: true, off: false, value: "" }), /data-value="" aria-pressed="true">/);
  });

  test("only what differs is changed, so that focus and fingers stay", () => {
    const root = place();
    morph(root, '<p class="a" id="p">one</p><!--x--><i>old</i><b>gone</b>tail');
    const [paragraph, italic] = root.querySelectorAll("p, i");
    const text = paragraph.firstChild;
    morph(root, '<p class="b" title="t">two</p><!--y--><i>old</i>');
    assert.equal(root.innerHTML, '<p class="b" title="t">two</p><!--y--><i>old</i>');
    assert.deepEqual([...root.querySelectorAll("p, i")], [paragraph, italic]);
    assert.equal(paragraph.firstChild, text);
    morph(root, '<p class="b" title="t">two</p><!--y--><em>new</em><u>more</u>');
    assert.equal(root.innerHTML, '<p class="b" title="t">two</p><!--y--><em>new</em><u>more</u>');
    assert.equal(root.firstChild, paragraph);
  });

  test("the same markup is not brought in again", () => {
    const root = place();
    morph(root, "<p>one</p>");
    root.firstElementChild.textContent = "typed";
    morph(root, "<p>one</p>");
    assert.equal(root.textContent, "typed");
    morph(root, "<p>two</p>");
    assert.equal(root.textContent, "two");
  });

  test("what somebody has opened stays open", () => {
    const root = document.createElement("div");
    morph(root, '<details data-key="a"><summary>A</summary>1</details>');
    root.querySelector("details").open = true;
    morph(root, '<details data-key="a"><summary>A</summary>2</details>');
    assert.equal(root.textContent, "A2");
    assert.ok(root.querySelector("details").open);
    morph(root, '<details data-key="b"><summary>A</summary>2</details>');
    assert.ok(!root.querySelector("details").open);
  });

  test("an element with another key is another one", () => {
    const root = place();
    morph(root, '<p data-key="1">a</p>');
    const first = root.firstChild;
    morph(root, '<p data-key="1">b</p>');
    assert.equal(root.firstChild, first);
    morph(root, '<p data-key="2">b</p>');
    assert.notEqual(root.firstChild, first);
    assert.equal(root.innerHTML, '<p data-key="2">b</p>');
  });

  test("elements with a key stay themselves wherever others come, go or change places", () => {
    const root = place();
    const letters = (text) => [...text].map((each) => (each === "." ? "<i></i>" : `<b data-key="${each}">${each}</b>`)).join("");
    const texts = ["abc", "axbc", "bc", "cb", "a.b.c", ".a", "", "abcdef", "fa.b", "cab", "..", "b.a"];
    for (const before of texts) for (const after of texts) {
      morph(root, letters(before) + "<!---->");
      const kept = new Map([...root.querySelectorAll("b")].map((each) => [each.textContent, each]));
      morph(root, letters(after));
      assert.equal(root.innerHTML, letters(after), `${before} ${after}`);
      for (const each of root.querySelectorAll("b"))
        if (kept.has(each.textContent)) assert.equal(kept.get(each.textContent), each, `${before} ${after}`);
      morph(root, "");
      assert.equal(root.innerHTML, "");
    }
  });

  test("what is kept keeps its content, and its attributes follow", () => {
    const root = place();
    morph(root, '<p data-keep class="a"></p>');
    root.firstElementChild.textContent = "rolling";
    morph(root, '<p data-keep class="b"></p>');
    assert.equal(root.innerHTML, '<p data-keep="" class="b">rolling</p>');
  });

  test("a box that somebody has tapped follows what comes down, when it changes", () => {
    const root = place();
    morph(root, '<input type="checkbox"><input type="checkbox" checked>');
    const [one, two] = root.querySelectorAll("input");
    one.checked = true;
    two.checked = false;
    morph(root, '<input type="checkbox" title="t"><input type="checkbox" checked>');
    assert.deepEqual([one.checked, two.checked], [true, false]);
    one.checked = false;
    morph(root, '<input type="checkbox" checked><input type="checkbox">');
    assert.deepEqual([one.checked, two.checked], [true, false]);
  });
});

suite("surface", () => {
  let root, part, sent;
  function shown(markup) {
    part?.destroy();
    root = place();
    sent = [];
    part = mountSurface(root, { markup }, (message) => sent.push(message));
  }
  teardown(() => part?.destroy());
  const acts = () => sent.at(-1)?.done.map((each) => [each.do, each.value]);
  const find = (selector) => root.querySelector(selector);

  test("a message is done at most once", () => assert.equal(once, true));

  test("a tap on a button goes up with its value; what is not answered goes along with the next", () => {
    shown('<button data-do="add" data-value="3"><b>+</b></button><button data-do="end"></button><p>x</p>');
    assert.equal(root.className, "surface");
    tap(find("b"));
    assert.deepEqual(acts(), [["add", "3"]]);
    tap(find('[data-do="end"]'));
    assert.deepEqual(acts(), [["add", "3"], ["end", ""]]);
    tap(find("p"));
    assert.equal(sent.length, 2);
    part.receive({ markup: "<p>y</p>", answers: { client: sent[0].client, seq: 2 } });
    assert.equal(root.innerHTML, "<p>y</p>");
    part.receive({ markup: "<p>old</p>", answers: { client: sent[0].client, seq: 1 } });
    assert.equal(root.innerHTML, "<p>y</p>");
    part.receive({ markup: "<p>z</p>" });
    assert.equal(root.innerHTML, "<p>z</p>");
  });

  test("a field says what was typed or chosen, led by its value; a box whether it is ticked", () => {
    shown('<input data-do="name" value="Anna"><input data-do="points" data-value="7"><select data-do="how">' +
      '<option value="a"><option value="b"></select><input type="checkbox" data-do="tick" data-value="t">' +
      '<input type="checkbox" data-do="agree" data-remember="told"><input name="free">');
    const type = (field, value) => {
      field.value = value;
      dispatched(field, "change");
      return acts().at(-1);
    };
    assert.deepEqual(type(find('[data-do="name"]'), "Bea"), ["name", "Bea"]);
    assert.deepEqual(type(find('[data-do="points"]'), "12"), ["points", "7|12"]);
    assert.deepEqual(type(find("select"), "b"), ["how", "b"]);
    find('[data-do="tick"]').checked = true;
    dispatched(find('[data-do="tick"]'), "change");
    assert.deepEqual(acts().at(-1), ["tick", "t|true"]);
    dispatched(find('[data-do="agree"]'), "change");
    assert.deepEqual(acts().at(-1), ["agree", "false"]);
    assert.match(document.cookie, /told=false/);
    const { length } = sent;
    dispatched(find('[name="free"]'), "change");
    assert.equal(sent.length, length);
  });

  test("a field of search that is emptied by its cross says so at once; what is looked for, on its change", () => {
    shown('<input type="search" data-do="search" value="Anna"><input type="search">');
    const [field, free] = document.querySelectorAll("input");
    dispatched(field, "search");
    dispatched(free, "search");
    assert.equal(sent.length, 0);
    field.value = "";
    dispatched(field, "search");
    assert.deepEqual(acts(), [["search", ""]]);
  });

  test("what a person has agreed to is kept for a year, for this server alone", () => {
    const kept = [];
    Object.defineProperty(document, "cookie", { configurable: true, set: (text) => kept.push(text) });
    shown('<input type="checkbox" data-do="agree" data-remember="told" checked>');
    dispatched(find("input"), "change");
    delete document.cookie;
    assert.deepEqual(kept, ["told=true; path=/; max-age=31536000; samesite=lax; secure"]);
  });

  test("names are typed in a row: Enter sends one and waits for the next", () => {
    shown('<input data-do="player" data-again>');
    const field = find("input");
    field.focus();
    field.value = "Anna";
    press(field, "Enter");
    assert.deepEqual([acts(), field.value, document.activeElement], [[["player", "Anna"]], "", field]);
    field.value = "  ";
    press(field, "Enter");
    field.value = "B";
    press(field, "b");
    assert.deepEqual([sent.length, field.value], [1, "B"]);
    shown('<input data-do="is" data-value="3" data-again>');
    find("input").value = "Ben";
    press(find("input"), "Enter");
    assert.deepEqual(acts(), [["is", "3|Ben"]]);
  });

  test("what was done without a connection is sent as soon as there is one, and nothing else is sent twice", () => {
    const connected = () => dispatchEvent(new window.Event("connected"));
    shown('<button data-do="a">A</button>');
    const app = document.body.appendChild(document.createElement("div"));
    app.dataset.testid = "stApp";
    const is = (state) => app.setAttribute("data-test-connection-state", state);
    is("CONNECTED");
    tap(find("button"));
    connected();
    assert.equal(sent.length, 1);
    is("DISCONNECTED_FOREVER");
    tap(find("button"));
    is("CONNECTED");
    connected();
    connected();
    assert.deepEqual(sent.map(({ done }) => done.map(({ seq }) => seq)), [[1], [1, 2], [1, 2]]);
    is("CONNECTING");
    tap(find("button"));
    part.destroy();
    connected();
    assert.equal(sent.length, 4);
  });

  test("a page begins at its top, with its seat in sight, once and not again while it stays", () => {
    document.body.replaceChildren();
    const main = document.createElement("div");
    main.dataset.testid = "stMain";
    const tops = [];
    main.scrollTo = /** @type {any} */ ((x, y) => tops.push([x, y]));
    shown("<p></p>");
    document.body.append(main);
    const page = (name, left) => {
      part.receive({ markup: `<p data-page="${name}" data-x="${left}"></p><div class="seats"><b>A</b><b aria-current="page">B</b></div>` });
    };
    page("one", 0);
    assert.deepEqual(tops, [[0, 0]]);
    const strip = find(".seats");
    sized(strip, { x: 10, width: 100, height: 20 });
    for (const [x, expected] of [[20, 0], [90, 30], [-15, 5]]) {
      sized(find("[aria-current]"), { x, width: 50, height: 20 });
      page(`p${x}`, x);
      assert.equal(strip.scrollLeft, expected);
    }
    const { length } = tops;
    page("p-15", 1);
    assert.equal(tops.length, length);
    part.receive({ markup: "<p>no page</p>" });
    assert.equal(tops.length, length);
  });

  /** The part of a page that scrolls: how far down it is, and ``height``, how far it goes. */
  function scrolled() {
    document.body.replaceChildren();
    const main = document.createElement("div");
    const seen = { main, top: 0, height: 500 };
    main.dataset.testid = "stMain";
    Object.defineProperty(main, "scrollTop", { configurable: true, get: () => seen.top });
    main.scrollTo = /** @type {any} */ ((_, y) => (seen.top = Math.min(y, seen.height)));
    return seen;
  }
  const back = () => new Promise((come) => (addEventListener("popstate", come, { once: true }), history.back()));

  test("who comes back to a page is shown it where they left it, as soon as so much of it is there", async () => {
    const seen = scrolled();
    const come = (name, rest = "") => part.receive({ markup: `<p data-page="${name}"></p>${rest}` });
    shown('<p data-page="list"></p><a href="/?game=g9" data-go><b>go</b></a>');
    document.body.append(seen.main);
    seen.top = 400;
    link();
    come("game");
    assert.equal(seen.top, 0);
    seen.height = 100;
    await back();
    come("list");
    assert.equal(seen.top, 100);
    seen.height = 500;
    part.receive({ markup: "<p>the rest</p>" });
    assert.equal(seen.top, 400);
    seen.top = 20;
    part.receive({ markup: "<p>more</p>" });
    assert.equal(seen.top, 20);
    come("game");
    seen.height = 10;
    seen.top = 300;
    history.pushState({}, "", "/?game=g9");
    await back();
    come("other");
    assert.equal(seen.top, 0);
    history.replaceState({}, "", "/?game=g1");
  });

  test("a page that is led to begins at its top, however far down it was left; who moves is left where they are", async () => {
    const seen = scrolled();
    const come = (name, rest = "") => part.receive({ markup: `<p data-page="${name}"></p>${rest}<a href="/?game=g9" data-go><b>go</b></a>` });
    shown('<p data-page="first"></p><a href="/?game=g9" data-go><b>go</b></a>');
    document.body.append(seen.main);
    for (const kind of ["wheel", "touchstart", "keydown"]) {
      seen.top = 400;
      link();
      come("second");
      assert.equal(seen.top, 0, kind);
      Object.assign(seen, { top: 300, height: 100 });
      await back();
      come("first");
      assert.equal(seen.top, 100);
      dispatchEvent(new window.Event(kind));
      seen.height = 500;
      come("first", kind);
      assert.equal(seen.top, 100, kind);
    }
    come("second");
    assert.equal(seen.top, 0);
    history.replaceState({}, "", "/?game=g1");
  });

  test("a button asks by itself as it comes near, once for each of its values", () => {
    shown('<button data-do="more" data-value="100" data-near>more</button>');
    const near = (isIntersecting) => {
      const target = find("button");
      const watcher = [...watchers].find(({ elements }) => elements.includes(target));
      watcher.resized([{ target, isIntersecting }]);
    };
    near(false);
    assert.deepEqual(sent, []);
    near(true);
    near(true);
    assert.deepEqual(acts(), [["more", "100"]]);
    part.receive({ markup: '<button data-do="more" data-value="150" data-near>more</button>', answers: { client: sent[0].client, seq: 1 } });
    near(true);
    assert.deepEqual(acts(), [["more", "150"]]);
    // It is looked at anew, so that one that is still near asks on.
    const looking = [...watchers].flatMap(({ elements }) => elements).filter((each) => each === find("button"));
    assert.equal(looking.length, 1);
    part.destroy();
    assert.equal([...watchers].some(({ elements }) => elements.some((each) => each.tagName === "BUTTON")), false);
  });

  test("what is chosen is what the server says, also after somebody chose something else", () => {
    const list = (chosen) => `<select data-do="player">${["", "Anna"].map((each) => `<option value="${each}"${each === chosen ? " selected" : ""}>x</option>`).join("")}</select>`;
    shown(list("Anna"));
    find("select").value = "";
    part.receive({ markup: `${list("Anna")}<p></p>` });
    assert.equal(find("select").value, "Anna");
    part.receive({ markup: list("") });
    assert.equal(find("select").value, "");
  });

  test("a picture goes to the phone's share sheet where it takes files; where that fails it is opened", async () => {
    shown('<a href="/card.png" data-share="card.png"><b>picture</b></a>');
    const [shared, opened] = [[], []];
    globalThis.open = /** @type {any} */ ((address, how) => opened.push([address, how]));
    globalThis.fetch = /** @type {any} */ (async (address) => ({ blob: async () => new Blob(["x"], { type: "image/png" }), address }));
    assert.equal(link(), false);
    navigator.canShare = ({ files }) => files[0].type === "image/png";
    let error = null;
    navigator.share = async ({ files }) => {
      shared.push(files.map(({ name, type }) => [name, type]));
      if (error) throw error;
    };
    const share = async () => {
      assert.equal(link(), true);
      await new Promise((come) => setTimeout(come));
    };
    await share();
    assert.deepEqual([shared, opened], [[[["card.png", "image/png"]]], []]);
    error = new window.DOMException("", "AbortError");
    await share();
    assert.deepEqual(opened, []);
    error = new window.DOMException("", "NotAllowedError");
    await share();
    assert.deepEqual(opened, [["https://companion.test/card.png", "_blank"]]);
    delete navigator.share;
    delete navigator.canShare;
    globalThis.open = /** @type {any} */ (undefined);
  });

  test("Enter ends the typing; other keys do not", () => {
    shown('<input data-do="name"><button data-do="x"></button>');
    const field = find("input");
    field.focus();
    press(field, "a");
    assert.equal(document.activeElement, field);
    press(field, "Enter");
    assert.notEqual(document.activeElement, field);
    const button_ = find("button");
    button_.focus();
    press(button_, "Enter");
    assert.equal(document.activeElement, button_);
  });

  test("what comes down does not overwrite what is being typed, and does everywhere else", () => {
    shown('<input data-do="a" value="1"><input data-do="b" value="1">');
    const [one, two] = root.querySelectorAll("input");
    assert.deepEqual([one.value, two.value], ["1", "1"]);
    one.focus();
    one.value = "typing";
    two.value = "typed";
    part.receive({ markup: '<input data-do="a" value="2"><input data-do="b" value="2">' });
    assert.deepEqual([one.value, two.value], ["typing", "2"]);
    one.blur();
    part.receive({ markup: '<input data-do="a"><input data-do="b" value="3">' });
    assert.deepEqual([one.value, two.value], ["", "3"]);
  });

  const link = (more = {}) => {
    const event = new window.MouseEvent("click", { bubbles: true, cancelable: true, detail: 1, ...more });
    let taken = false;
    const look = () => {
      taken = event.defaultPrevented;
      event.preventDefault();
    };
    document.addEventListener("click", look, { once: true });
    find("a").firstElementChild.dispatchEvent(event);
    return taken;
  };

  test("a link leads to its page once all is answered, by the way of the back button", () => {
    shown('<a href="/?game=g2" data-go><b>go</b></a><button data-do="x"></button>');
    let asked = 0;
    const listener = () => (asked += 1);
    addEventListener("popstate", listener);
    tap(find("button"));
    assert.equal(link(), true);
    assert.equal(location.search, "?game=g1");
    part.receive({ markup: '<a href="/?game=g2" data-go><b>go</b></a>', answers: { client: sent[0].client, seq: 1 } });
    assert.equal(location.search, "?game=g2");
    assert.equal(asked, 1);
    const { length } = history;
    link();
    assert.deepEqual([asked, history.length], [2, length]);
    removeEventListener("popstate", listener);
    history.replaceState({}, "", "/?game=g1");
  });

  test("a link opens beside the page where a key asks for it; others are the browser's own", () => {
    shown('<a href="/?game=g2" data-go><b>go</b></a>');
    for (const key of ["metaKey", "ctrlKey", "shiftKey"]) assert.equal(link({ [key]: true }), false);
    assert.equal(location.search, "?game=g1");
    shown('<a href="#x"><b>go</b></a>');
    assert.equal(link(), false);
    history.replaceState({}, "", "/?game=g1");
  });

  test("a link is shared by the phone's own sheet or copied, and says that it was", async () => {
    shown('<button data-do="share-link" data-value="/?join=abc"><b>share</b></button><button data-do="share-link"></button>');
    const shared = [];
    navigator.share = async (what) => void shared.push(what);
    document.title = "Companion";
    const press_ = async () => {
      tap(find("b"));
      await new Promise((come) => setTimeout(come));
      return find("button").hasAttribute("data-done");
    };
    assert.equal(await press_(), true);
    assert.deepEqual(shared, [{ url: "https://companion.test/?join=abc", title: "Companion" }]);
    navigator.share = async () => { throw new Error("cancelled"); };
    assert.equal(await press_(), false);
    delete navigator.share;
    navigator.clipboard = { writeText: async (text) => void shared.push(text) };
    assert.equal(await press_(), true);
    assert.equal(shared.at(-1), "https://companion.test/?join=abc");
    tap(root.querySelectorAll("button")[1]);
    await new Promise((come) => setTimeout(come));
    assert.equal(shared.at(-1), location.href);
    assert.equal(sent.length, 0);
  });

  test("photos are waited for until the page says that they were dealt with, each time anew", () => {
    shown("<p></p>");
    const layer = () => {
      const made = document.body.appendChild(document.createElement("div"));
      made.className = "waiting-layer";
      return made;
    };
    const first = layer();
    part.receive({ markup: "<p>1</p>" });
    assert.equal(first.isConnected, true);
    part.receive({ markup: '<span data-answered="1"></span>' });
    assert.equal(first.isConnected, false);
    const second = layer();
    part.receive({ markup: '<span data-answered="1">x</span>' });
    assert.equal(second.isConnected, true);
    part.receive({ markup: '<span data-answered="2">x</span>' });
    assert.equal(second.isConnected, false);
  });

  test("files that were chosen are received, and are nothing else", () => {
    shown('<input type="file" data-do="never" data-photo="7">');
    dispatched(find("input"), "change");
    assert.equal(sent.length, 0);
  });
});
