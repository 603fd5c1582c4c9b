// @ts-check
/** Domino-Duell: hollows and moves as in the rules, and the board under fingers, keys and buttons. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import FakeTimers from "@sinonjs/fake-timers";

import { approved } from "./approved.mjs";
import { answerToMove } from "./answers.mjs";
import { WORDS } from "./boards.mjs";
import { place, point, press as key, resized, scrolledTo, sized, watchers, window } from "./page.mjs";
import { storage } from "./phone.mjs";
import * as model from "../../companion/web/domino_duell/static/model.mjs";
import { mount } from "../../companion/web/domino_duell/static/duel.mjs";
import { STONES, drawn, pieceName } from "../../companion/web/domino_duell/static/sheets.mjs";

const RULES = JSON.parse(readFileSync(new URL("rules.json", import.meta.url), "utf8"));
const ROWS = [" o o o", "o x x o", " o x o"];

suite("hollows and moves", () => {
  const shape = model.shapeOf(ROWS);
  const names = (hollows) => hollows.map(({ name }) => name).sort();
  const at = (name) => /** @type {any} */ (shape.byName.get(name));

  test("moves, groups and points are those of the rules", () => {
    for (const each of RULES.moves) assert.deepEqual(answerToMove(each), each);
    assert.equal(model.moveOf(shape, {}, "rcw", "z9", null).reason, "off_board");
  });

  test("a drawing gives hollows by row and number, the middle, neighbours and the edge", () => {
    assert.deepEqual(shape.hollows.map(({ name }) => name), ["a1", "a2", "a3", "b1", "b2", "b3", "b4", "c1", "c2", "c3"]);
    assert.deepEqual(shape.hollows.filter(({ middle }) => middle).map(({ name }) => name), ["b2", "b3", "c2"]);
    assert.deepEqual([at("b3").x, at("b3").row], [4, 1]);
    assert.equal(shape.at(4, 1), at("b3"));
    assert.equal(shape.at(3, 1), undefined);
    assert.deepEqual(names(model.neighbours(shape, at("b2"))), ["a1", "a2", "b1", "b3", "c1", "c2"]);
    assert.deepEqual(names(model.neighbours(shape, at("a1"))), ["a2", "b1", "b2"]);
    assert.deepEqual(shape.hollows.filter(({ edge }) => !edge).map(({ name }) => name), ["b2", "b3"]);
  });

  test("lines of three and four lie in the three directions, in their order", () => {
    const lines = model.windows(shape, at("b2"), 3).map((line) => line.map(({ name }) => name).join(" "));
    assert.deepEqual(lines, ["b1 b2 b3", "b2 b3 b4", "a1 b2 c2", "a2 b2 c1"]);
    assert.deepEqual(model.windows(shape, at("b2"), 4).map((line) => line.length), [4]);
  });

  test("stones are a group when each feature is all equal or all different", () => {
    assert.equal(model.isGroup(["rcw", "rcw", "rcw"]), true);
    assert.equal(model.isGroup(["rcw", "ytk", "bmg"]), true);
    assert.equal(model.isGroup(["rcw", "rtk", "rmg"]), true);
    assert.equal(model.isGroup(["rcw", "rck", "ytg"]), false);
    assert.equal(model.isGroup(["rcw", "ycw", "rcw"]), false);
    assert.equal(model.isGroup(["rcw", "ycw", "bcw", "gcw"]), true);
    assert.equal(model.isGroup(["rcw", "ycw", "bcw", "rcw"]), false);
  });

  test("every hollow is the nearest to its own middle, within reach, and nothing is far outside", () => {
    for (const hollow of shape.hollows) {
      const [x, y] = model.middleOf(hollow);
      assert.equal(model.hollowAt(shape, [x, y]), hollow);
      assert.equal(model.hollowAt(shape, [x + 20, y - 20]), hollow);
    }
    const [x, y] = model.middleOf(at("a1"));
    assert.equal(model.hollowAt(shape, [x, y - 60])?.name, "a1");
    assert.equal(model.hollowAt(shape, [x, y - 61]), null);
    assert.deepEqual(model.middleOf(at("b3")), [200, 50 * Math.sqrt(3)]);
    const bounds = model.boundsOf(shape);
    assert.deepEqual([bounds.x, bounds.y, bounds.width], [-75, -75, 450]);
    assert.ok(Math.abs(bounds.height - (100 * Math.sqrt(3) + 150)) < 1e-9);
  });

  test("arrows go to neighbours, up and down by turns of direction, and stop at the border", () => {
    const steps = /** @type {[string, string, string][]} */ ([
      ["b2", "ArrowLeft", "b1"], ["b2", "ArrowRight", "b3"], ["b2", "ArrowUp", "a2"], ["b2", "ArrowDown", "c1"],
      ["b1", "ArrowLeft", "b1"], ["b4", "ArrowRight", "b4"], ["a1", "ArrowUp", "a1"], ["c1", "ArrowDown", "c1"],
      ["b4", "ArrowUp", "a3"], ["b1", "ArrowDown", "c1"], ["b2", "Enter", "b2"],
    ]);
    for (const [from, way, to] of steps) assert.equal(model.nextHollow(shape, at(from), way), to, `${from} ${way}`);
  });
});

suite("stones", () => {
  test("64 of them, each drawn otherwise, even where all colours are one", () => {
    assert.equal(new Set(STONES).size, 64);
    const bare = STONES.map((stone) => drawn(stone).replaceAll(/#[0-9a-f]{6}/g, "#"));
    // White and black symbols differ by light and dark alone, which everybody sees.
    assert.equal(new Set(bare).size, 48);
    assert.equal(new Set(STONES.map(drawn)).size, 64);
    for (const stone of ["ycw", "rmk", "btg", "gsl", "*"]) approved(`stone ${stone}`, drawn(stone));
  });

  test("a piece has a name for those who don't see it", () => {
    const say = (code) => code;
    assert.equal(pieceName(say, "rcw"), "colour.r, symbol.c, ink.w");
    assert.equal(pieceName(say, "*"), "joker");
    assert.equal(pieceName(say, undefined), "empty");
  });
});

suite("duel", () => {
  let clock, board, root, sent, made;
  setup(() => {
    clock = FakeTimers.install();
    made = [];
  });
  teardown(() => {
    for (const each of made) each.destroy();
    clock.uninstall();
  });
  const words = new Proxy({}, {
    get: (_, code) => ({
      hollow: "{hollow}: {piece}", "hand.title": "{name} {count}", "lay.several": "lay {count}", "groups.triple.several": "{count} triples",
      "moves.each": "{piece} {hollow} {points}", "points.several": "{count} points", "photo.each": "{hollow} {piece}",
    })[code] ?? WORDS[code],
  });
  const STATE = {
    rows: ROWS, stones: { b2: "rcw", b3: "ycw", c2: "bcw" }, phase: "play", name: "Anna", turns: 3, jokers: true,
    takeable: ["b2"], last: null, lit: [], moves: null, hand: null, seen: null, notice: null, words,
  };
  function on(more = {}, size = { width: 400, height: 300 }) {
    root = place();
    sent = [];
    const { prototype } = globalThis.HTMLElement;
    for (const [name, value] of [["clientWidth", size.width], ["clientHeight", size.height]])
      Object.defineProperty(prototype, name, { configurable: true, get() { return this.className === "duel-stage" ? value : 0; } });
    board = /** @type {any} */ (mount(root, { ...STATE, ...more }, (message) => sent.push(message)));
    made.push(board);
    for (const name of ["clientWidth", "clientHeight"]) delete prototype[name];
    sized(board.stage, { x: 10, y: 50, ...size });
    sized(root, { x: 10, y: 50, width: size.width, height: 600 });
    return board;
  }
  const find = (selector) => root.querySelector(selector);
  const click = (element, detail = 0) => element.dispatchEvent(new window.MouseEvent("click", { bubbles: true, detail }));
  const press = (action, value) => {
    const found = find(`[data-do="${action}"]${value === undefined ? "" : `[data-value="${value}"]`}`);
    assert.ok(found, `${action} ${value}`);
    click(found);
  };
  const tapHollow = (name) => {
    const [x, y] = board.view.toScreen(model.middleOf(board.shape.byName.get(name)));
    const where = { clientX: 10 + x, clientY: 50 + y };
    point(board.stage, "down", where);
    point(board.stage, "up", where);
  };
  const last = () => {
    const { seq, ...done } = sent.at(-1).done.at(-1);
    assert.equal(seq, sent.at(-1).seq);
    return done;
  };
  const receive = (more = {}) => board.receive({ ...STATE, answers: { client: sent.at(-1)?.client, seq: sent.at(-1)?.seq }, ...more });
  const looks = (name) => find(`[data-hollow="${name}"]`).getAttribute("class").split(" ").slice(1);

  test("a stone is laid by hollow and stone; what it would bring is seen before", () => {
    on();
    assert.equal(root.className, "surface duel");
    tapHollow("b4");
    assert.equal(board.hollow, "b4");
    assert.deepEqual(looks("b4"), ["chosen"]);
    assert.equal(root.classList.contains("busy"), true);
    assert.equal(find("[data-do=lay]").disabled, true);
    press("stone", "gcw");
    assert.notEqual(find(".brings"), null);
    press("stone", "ytk");
    assert.equal(find(".brings"), null);
    assert.equal(find("[data-do=lay]").disabled, true);
    const move = board.move();
    assert.equal(move.reason, "no_group");
    assert.match(find(".why.no").textContent, /refused\.no_group/);
    press("close");
    assert.deepEqual([board.hollow, board.stone, root.classList.contains("busy")], [null, null, false]);
  });

  test("a good move lights its group, goes up with its turn, and lies there at once", () => {
    on({ stones: { b2: "rcw", b3: "ycw" } });
    tapHollow("b4");
    press("stone", "bcw");
    assert.deepEqual(["b2", "b3", "b4"].map((each) => looks(each).includes("lit")), [true, true, true]);
    assert.equal(find(".brings").textContent, "2");
    press("edge");
    assert.deepEqual([board.edge, find(".brings").textContent], [false, "1"]);
    press("edge");
    assert.deepEqual([board.edge, find(".brings").textContent], [null, "2"]);
    press("edge");
    press("lay");
    assert.deepEqual(last(), { kind: "lay", turns: 3, hollow: "b4", stone: "bcw", edge: false, joker: null });
    assert.deepEqual([board.lying.b4, looks("b4").includes("pending"), board.hollow], ["bcw", true, null]);
    receive({ stones: { b2: "rcw", b3: "ycw", b4: "bcw" }, last: "b4", lit: ["b2"] });
    assert.deepEqual([looks("b4"), looks("b2"), board.pending], [["last"], ["lit", "takeable"], {}]);
  });

  test("the first tap on the edge turns it on where the hollow is not at the edge", () => {
    on({ stones: { a2: "rcw", b3: "ycw" }, rows: ["o o o o", " o o o", "o o o o"] });
    tapHollow("b2");
    press("edge");
    assert.equal(board.edge, true);
    press("edge");
    assert.equal(board.edge, null);
  });

  test("an answer to an older message changes nothing; what waits stays on the board", () => {
    on({ phase: "start", stones: {} });
    tapHollow("b2");
    press("stone", "rcw");
    press("stone", "ycw");
    receive({ phase: "start", stones: { b2: "rcw" }, answers: { client: sent[0].client, seq: 1 } });
    assert.deepEqual(board.lying, { b2: "rcw", b3: "ycw" });
    receive({ phase: "start", stones: { b2: "rcw", b3: "ycw" } });
    receive({ phase: "start", stones: {}, answers: { client: sent[0].client, seq: 1 } });
    assert.deepEqual(board.lying, { b2: "rcw", b3: "ycw" });
  });

  test("a hollow that somebody else has filled is not asked for any more", () => {
    on();
    tapHollow("b4");
    press("stone", "gsl");
    board.receive({ ...STATE, stones: { ...STATE.stones, b4: "gtk" } });
    assert.deepEqual([board.hollow, board.stone], [null, null]);
    tapHollow("a1");
    board.receive({ ...STATE, stones: { ...STATE.stones, a1: "gtk" } });
    assert.equal(board.hollow, "a1");
  });

  test("at the start the middle is laid, one hollow after the other, and can be emptied", () => {
    on({ phase: "start", stones: {} });
    tapHollow("a1");
    assert.deepEqual([board.hollow, board.focus], [null, "a1"]);
    tapHollow("b3");
    press("stone", "rcw");
    assert.deepEqual(last(), { kind: "start", turns: 3, hollow: "b3", stone: "rcw" });
    assert.deepEqual([board.hollow, board.focus], ["b2", "b2"]);
    assert.equal(find('[data-do="stone"][data-value="rcw"]').disabled, true);
    press("stone", "ycw");
    press("stone", "bcw");
    assert.equal(board.hollow, null);
    tapHollow("b3");
    const key_ = find('[data-do="stone"][data-value="rcw"]');
    assert.deepEqual([key_.getAttribute("aria-pressed"), key_.disabled], ["true", false]);
    press("empty");
    assert.deepEqual([last(), board.hollow], [{ kind: "start", turns: 3, hollow: "b3", stone: null }, null]);
  });

  test("a stone is taken for a joker and another laid, or nothing, or the joker is given back", () => {
    on();
    tapHollow("b2");
    press("take");
    assert.deepEqual([board.joker, board.lying.b2], ["b2", "*"]);
    assert.deepEqual(looks("b2"), []);
    press("no-joker");
    assert.deepEqual([board.joker, board.lying.b2, sent.length], [null, "rcw", 0]);
    tapHollow("b2");
    press("take");
    press("lay-nothing");
    assert.deepEqual([last(), board.pending, board.joker], [{ kind: "joker", turns: 3, hollow: "b2" }, { b2: "*" }, null]);
    receive({ stones: { ...STATE.stones, b2: "*" }, takeable: [] });
    tapHollow("b3");
    assert.equal(find("[data-do=take]"), null);
    on({ stones: { b2: "rcw", b3: "ycw", c2: "gcw" }, takeable: ["c2"] });
    tapHollow("c2");
    press("take");
    tapHollow("b4");
    press("stone", "gcw");
    press("lay");
    assert.deepEqual(last(), { kind: "lay", turns: 3, hollow: "b4", stone: "gcw", edge: null, joker: "c2" });
    assert.deepEqual(board.pending, { b4: "gcw", c2: "*" });
  });

  test("a stone that was taken for a joker lies there again once the turn is another", () => {
    on();
    tapHollow("b2");
    press("take");
    receive({ notice: "still the same turn" });
    assert.equal(board.lying.b2, "*");
    receive({ turns: 4, name: "Bea" });
    assert.deepEqual([board.joker, board.lying.b2], [null, "rcw"]);
  });

  test("a hand is counted tile by tile, seven at most, jokers as often as there are", () => {
    on({ hand: { player: 2, name: "Bea", pieces: ["rcw"] } });
    assert.equal(root.classList.contains("busy"), true);
    tapHollow("b4");
    assert.equal(board.hollow, null);
    press("stone", "rmk");
    assert.deepEqual(last(), { kind: "hand", turns: 3, player: 2, pieces: ["rcw", "rmk"] });
    press("stone", "rcw");
    assert.deepEqual(last().pieces, ["rmk"]);
    press("stone", "*");
    press("stone", "*");
    assert.deepEqual(last().pieces, ["rmk", "*", "*"]);
    for (const each of ["gmk", "gml", "gmw", "gmg"]) press("stone", each);
    const { length } = sent;
    press("stone", "yml");
    assert.equal(sent.length, length);
    receive({ hand: { player: 2, name: "Bea", pieces: [] }, answers: { client: sent[0].client, seq: 1 } });
    assert.equal(board.hand.pieces.length, 7);
    press("hand-done");
    assert.deepEqual(last(), { kind: "hand-done", turns: 3 });
    receive({ hand: null });
    assert.equal(board.hand, null);
  });

  test("what was chosen for one hollow is not that of the next", () => {
    on({ stones: { b2: "rcw", b3: "ycw" }, lit: ["b2"], seen: [["b3", "gsl", false]] });
    assert.equal(looks("b2").includes("lit"), true);
    tapHollow("a1");
    assert.equal(looks("b2").includes("lit"), false);
    press("stone", "gsl");
    press("edge");
    tapHollow("b4");
    assert.deepEqual([board.stone, board.edge], ["gsl", null]);
    tapHollow("b2");
    tapHollow("a1");
    assert.equal(find('[data-do="stone"][aria-pressed="true"]'), null);
    press("close");
    press("try", "b3 gsl");
    assert.deepEqual([board.hollow, board.stone], ["b3", null]);
  });

  test("a stone that was taken for a joker is there to be laid; no second one is taken in this turn", () => {
    on({ stones: { b2: "rcw", b3: "ycw", c1: "bcw", c2: "gtk" }, takeable: ["c1", "c2"] });
    tapHollow("c1");
    press("take");
    tapHollow("c2");
    assert.equal(find("[data-do=take]"), null);
    tapHollow("b4");
    press("stone", "bcw");
    assert.equal(find("[data-do=lay]").disabled, false);
  });

  test("a hollow is empty as soon as its stone is taken away", () => {
    on({ phase: "start", stones: { b2: "rcw" } });
    tapHollow("b2");
    press("empty");
    assert.match(find('[data-hollow="b2"]').getAttribute("aria-label"), /empty/);
    tapHollow("b3");
    assert.equal(find('[data-do="stone"][data-value="rcw"]').disabled, false);
  });

  suite("after a reload without a connection", () => {
    setup(() => { globalThis.localStorage = storage(); });
    teardown(() => { delete globalThis.localStorage; });
    const reloaded = (state) => {
      board.destroy();
      on({ ...state, of: "duel-1" });
    };
    const piece = (name) => find(`[data-hollow="${name}"]`).getAttribute("aria-label").split(": ")[1];

    test("the middle lies as it was laid, and the next stone goes to what is left of it", () => {
      const start = { phase: "start", stones: {}, of: "duel-1" };
      on(start);
      tapHollow("b2");
      press("stone", "rcw");
      press("stone", "ycw");
      reloaded(start);
      assert.deepEqual(["b2", "b3", "c2"].map((each) => looks(each).includes("pending")), [true, true, false]);
      assert.deepEqual(board.lying, { b2: "rcw", b3: "ycw" });
      tapHollow("b2");
      press("stone", "gsl");
      assert.equal(board.hollow, "c2");
      receive({ ...start, stones: { b2: "gsl", b3: "ycw" } });
      assert.equal(looks("b2").includes("pending"), false);
    });

    test("a stone and the joker that was used with it lie there", () => {
      const play = { stones: { b2: "rcw", b3: "ycw", c2: "gcw" }, takeable: ["c2"], of: "duel-1" };
      on(play);
      tapHollow("c2");
      press("take");
      tapHollow("b4");
      press("stone", "gcw");
      press("lay");
      reloaded(play);
      assert.deepEqual([piece("b4"), piece("c2")], [pieceName(board.say, "gcw"), pieceName(board.say, "*")]);
      board.destroy();
      globalThis.localStorage = storage();
      on(play);
      tapHollow("c2");
      press("take");
      press("lay-nothing");
      reloaded(play);
      assert.equal(piece("c2"), pieceName(board.say, "*"));
    });

    test("a hand has what was tapped; that of another is another", () => {
      const hand = { hand: { player: 2, name: "Bea", pieces: ["rcw"] }, of: "duel-1" };
      on(hand);
      press("stone", "rmk");
      reloaded(hand);
      press("stone", "gsl");
      assert.deepEqual(last().pieces, ["rcw", "rmk", "gsl"]);
      board.receive({ ...STATE, hand: { player: 1, name: "Anna", pieces: ["ytk"] } });
      assert.deepEqual(board.hand.pieces, ["ytk"]);
    });
  });

  test("offers of the helper and of a photo are tried with a tap", () => {
    on({ moves: [["gcw", "b4", 6]], seen: [["a1", "*", false], ["c1", "ytk", true]], stones: { b2: "rcw", b3: "ycw" } });
    assert.deepEqual(looks("c1"), ["doubtful"]);
    assert.notEqual(find('[data-hollow="b4"] .offer'), null);
    press("try", "b4 gcw");
    assert.deepEqual([board.hollow, board.stone], ["b4", "gcw"]);
    press("close");
    press("try", "a1 *");
    assert.deepEqual([board.hollow, board.stone], ["a1", null]);
  });

  test("keys go from hollow to hollow, choose and close; a screen reader clicks", () => {
    on();
    const group = (name) => find(`[data-hollow="${name}"]`);
    assert.equal(board.focus, "b2");
    group("b2").focus();
    assert.equal(key(group("b2"), "ArrowRight").defaultPrevented, true);
    assert.deepEqual([board.focus, document.activeElement], ["b3", group("b3")]);
    key(group("b3"), "ArrowRight");
    assert.equal(key(group("b4"), "Enter").defaultPrevented, true);
    assert.equal(board.hollow, "b4");
    assert.equal(key(group("b4"), "x").defaultPrevented, false);
    key(find("[data-do=close]"), "Escape");
    assert.equal(board.hollow, null);
    key(group("a1"), " ");
    assert.equal(board.hollow, "a1");
    click(group("a2"));
    assert.equal(board.hollow, "a2");
    click(group("a3"), 1);
    assert.equal(board.hollow, "a2");
    key(find("[data-do=close]"), "ArrowLeft");
    assert.equal(board.hollow, "a2");
  });

  test("the window shows what can be tapped, all of it, and the hollow that is meant", () => {
    on({}, { width: 100, height: 80 });
    assert.equal(board.view.zoomedIn, true);
    assert.ok((100 * 100) / board.view.box.width >= 43.9);
    press("whole");
    assert.equal(board.view.zoomedIn, false);
    assert.equal(find("[data-do=whole]").getAttribute("aria-pressed"), "true");
    sized(board.stage, { x: 10, y: 50, width: 90, height: 80 });
    resized(board.stage);
    assert.equal(board.view.zoomedIn, false);
    press("whole");
    assert.equal(board.view.zoomedIn, true);
    tapHollow("b3");
    const seen = () => {
      const [x, y] = board.view.toScreen(model.middleOf(board.shape.byName.get(board.view.wanted)));
      return x >= 0 && y >= 0 && x <= board.view.size.width && y <= board.view.size.height;
    };
    assert.equal(seen(), true);
    key(find('[data-hollow="b3"]'), "ArrowRight");
    assert.deepEqual([board.view.wanted, seen()], ["b4", true]);
    sized(board.stage, { x: 10, y: 50, width: 80, height: 60 });
    resized(board.stage);
    assert.equal(seen(), true);
    press("close");
    assert.equal(board.view.wanted, "");
    const box = find("svg.duel-board").getAttribute("viewBox").split(" ").map(Number);
    assert.deepEqual(box, [board.view.box.x, board.view.box.y, board.view.box.width, board.view.box.height]);
    on({ last: "b4" }, { width: 100, height: 80 });
    assert.equal(board.view.wanted, "b4");
  });

  test("board and pad are scrolled into sight; who has won too", () => {
    on();
    scrolledTo.length = 0;
    globalThis.innerHeight = 500;
    tapHollow("b4");
    assert.deepEqual(scrolledTo, [[root, { block: "start" }]]);
    globalThis.innerHeight = 844;
    tapHollow("a1");
    assert.equal(scrolledTo.length, 1);
    const seats = document.body.appendChild(document.createElement("div"));
    seats.className = "duel-seats";
    board.receive({ ...STATE, phase: "over" });
    assert.equal(scrolledTo.at(-1)?.[0], seats);
    board.receive({ ...STATE, phase: "over" });
    assert.equal(scrolledTo.length, 2);
  });

  test("late is said; after the end nothing is heard", () => {
    on({ phase: "start", stones: {} });
    tapHollow("b2");
    press("stone", "rcw");
    clock.tick(2500);
    assert.equal(find(".duel-bar p").textContent, "‹late›");
    receive({ phase: "start", stones: { b2: "rcw" } });
    assert.equal(find(".duel-bar p").textContent, "");
    press("stone", "ycw");
    const { length } = sent;
    board.destroy();
    assert.equal(watchers.size, 0);
    clock.tick(10_000);
    assert.equal(sent.length, length);
  });

  test("each state of a game is drawn as it was looked at", () => {
    const now = (name) => {
      approved(`duel ${name}: board`, find(".duel-board").outerHTML);
      const under = find(".duel-sheet").cloneNode(true);
      under.querySelector(".keys")?.replaceChildren();
      approved(`duel ${name}: sheet`, under.innerHTML);
    };
    on({ notice: "<b>", last: "b3", lit: ["b2"], moves: [["gcw", "b4", 1], ["gtk", "a1", 6]], seen: [["c1", "ytk", true], ["a1", "*", false]] });
    now("idle");
    approved("duel bar", find(".duel-bar").innerHTML);
    on({ moves: [], seen: [], takeable: [], jokers: false });
    now("nothing to offer");
    const nothing = find(".duel-sheet").innerHTML;
    on({ moves: [], seen: [], takeable: [] });
    assert.equal(find(".duel-sheet").innerHTML, nothing);
    tapHollow("b2");
    now("a stone");
    on();
    tapHollow("b2");
    now("a stone to take");
    press("take");
    now("joker in hand");
    on();
    tapHollow("b4");
    approved("duel pad", find(".keys").outerHTML);
    now("a hollow");
    press("stone", "gcw");
    now("a move");
    press("stone", "ytk");
    now("no move");
    on({ stones: { b2: "rcw", b3: "ycw" } });
    tapHollow("b4");
    press("stone", "bcw");
    now("a triple at the edge");
    press("edge");
    now("a triple, not at the edge");
    on({ stones: { b1: "rcw", b2: "ycw", b3: "bcw", a3: "rtk" }, rows: ["o o o o o", " o o o o", "o o o o o"] });
    tapHollow("b4");
    press("stone", "gcw");
    now("a quadruple");
    on({ phase: "start", stones: {}, seen: [["b2", "rcw", false]] });
    now("start");
    tapHollow("b2");
    now("start, a hollow");
    press("stone", "rcw");
    tapHollow("b2");
    now("start, a stone");
    on({ hand: { player: 1, name: "Be<a", pieces: ["rcw", "*"] } });
    now("a hand");
    on({ hand: { player: 1, name: "Bea", pieces: [] }, jokers: false });
    now("an empty hand");
    on({ phase: "over" });
    now("over");
  });
});
