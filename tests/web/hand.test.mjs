// @ts-check
/** Dominoes: hands in work, the clock, the keypad of Muggins. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import FakeTimers from "@sinonjs/fake-timers";
import fc from "fast-check";

import { approved } from "./approved.mjs";
import { answerToEnds, answerToHand } from "./answers.mjs";
import { WORDS } from "./boards.mjs";
import { place, sized, window } from "./page.mjs";
import { storage } from "./phone.mjs";
import * as model from "../../companion/web/pip_dominoes/static/model.mjs";
import { clockText, mount } from "../../companion/web/pip_dominoes/static/pieces.mjs";

const RULES = JSON.parse(readFileSync(new URL("rules.json", import.meta.url), "utf8"));
const READ = { tiles: "5|9 3|4 0|0", places: [0, 1, 2], doubtful: [1, 2] };
const tiles = fc.tuple(fc.nat(12), fc.nat(12)).map(([one, other]) => model.tileOf(one, other));
const kept = fc.record({
  tile: tiles, place: fc.option(fc.nat(20)), doubtful: fc.boolean(),
}, { noNullPrototype: true });
const hands = fc.oneof(
  fc.record({ tiles: fc.array(kept, { maxLength: 8 }), counted: fc.constant(null), blank: fc.constant(false),
    incomplete: fc.boolean() }, { noNullPrototype: true }),
  fc.tuple(fc.nat(9999), fc.boolean()).map(([counted, blank]) => model.countedHand(counted, blank)),
);

suite("hands", () => {
  test("points and doubts are those of the rules, with and without the price of the double blank", () => {
    for (const each of RULES.hands) assert.deepEqual(answerToHand(each), each);
    for (const each of RULES.ends) assert.deepEqual(answerToEnds(each), each);
  });

  test("a hand through the store and back is the same hand", () => {
    fc.assert(fc.property(hands, (hand) => {
      assert.deepEqual(model.handOf(model.dataOf(hand)), hand);
      assert.deepEqual(model.handOf(JSON.parse(JSON.stringify(model.dataOf(hand)))), hand);
    }));
    assert.deepEqual(model.dataOf(model.handOf(null)), { tiles: "" });
    assert.deepEqual(model.handOf({}), model.EMPTY);
    assert.deepEqual(model.handOf({ counted: 3 }), { ...model.EMPTY, counted: 3 });
    assert.deepEqual(model.dataOf(model.handOf(READ)), READ);
  });

  test("a tile is written and read with its lower half first", () => {
    fc.assert(fc.property(tiles, (tile) => {
      assert.ok(tile.low <= tile.high);
      assert.deepEqual(model.parseTile(model.formatTile(tile)), tile);
      assert.equal(model.nameOf(tile), `${tile.low}-${tile.high}`);
      assert.equal(model.sameTile(tile, { ...tile }), true);
    }));
    assert.deepEqual(model.parseTile("9|5"), { low: 5, high: 9 });
    assert.equal(model.sameTile({ low: 1, high: 2 }, { low: 1, high: 3 }), false);
    assert.equal(model.sameTile({ low: 1, high: 2 }, { low: 0, high: 2 }), false);
  });

  test("what a person sets is in doubt no more, keeps its place, and changes nothing else", () => {
    fc.assert(fc.property(hands, fc.nat(7), tiles, (hand, number, tile) => {
      if (number >= hand.tiles.length) return;
      const after = model.withTile(hand, number, tile);
      after.tiles.forEach((each, index) => assert.deepEqual(
        each, index === number ? { tile, place: hand.tiles[number].place, doubtful: false } : hand.tiles[index]));
      assert.equal(after.incomplete, hand.incomplete);
      assert.deepEqual(model.confirmed(hand, number), model.withTile(hand, number, hand.tiles[number].tile));
      const { low, high } = hand.tiles[number].tile;
      assert.deepEqual(model.withHalf(hand, number, 0, 3).tiles[number].tile, model.tileOf(3, high));
      assert.deepEqual(model.withHalf(hand, number, 1, 3).tiles[number].tile, model.tileOf(low, 3));
      const without = model.without(hand, number);
      assert.deepEqual(without.tiles, hand.tiles.filter((_, index) => index !== number));
      assert.equal(without.incomplete, hand.incomplete);
    }));
  });

  test("the pad puts a tile in and takes it out again; what may be missing stays so", () => {
    fc.assert(fc.property(hands, tiles, (hand, tile) => {
      const there = hand.tiles.some((each) => model.sameTile(each.tile, tile));
      const after = model.toggled(hand, tile);
      assert.equal(after.counted, null);
      assert.equal(after.incomplete, hand.incomplete);
      assert.equal(after.tiles.length, hand.tiles.length + (there ? -1 : 1));
      if (there) return;
      assert.deepEqual(after.tiles.at(-1), { tile, place: null, doubtful: false });
      assert.deepEqual(model.toggled(after, tile).tiles, hand.tiles);
    }));
  });

  test("a counted number has a bound, and takes the place of tiles", () => {
    assert.deepEqual(model.countedHand(12_000, true), { tiles: [], counted: 9999, blank: true, incomplete: false });
    assert.deepEqual(model.countedHand(12, false), { tiles: [], counted: 12, blank: false, incomplete: false });
    assert.equal(model.points(model.countedHand(12, true), false), 62);
    assert.equal(model.pips(model.countedHand(12, true)), 12);
  });

  test("every half has as many pips as its number, and a domino is drawn as it was looked at", () => {
    for (let number = 0; number <= 18; number += 1)
      assert.equal(model.half(number, 0).match(/<circle/g)?.length ?? 0, number);
    assert.equal(model.half(99, 0), "");
    for (const tile of [{ low: 0, high: 1 }, { low: 6, high: 9 }, { low: 12, high: 17 }, { low: 3, high: 18 }])
      approved(`domino ${model.nameOf(tile)}`, model.drawTile(tile));
  });
});

suite("pieces", () => {
  let clock, parts, sent, root;
  setup(() => {
    clock = FakeTimers.install({ now: 1_000_000_000 });
    parts = [];
    sent = [];
  });
  teardown(() => {
    for (const each of parts) each.destroy();
    clock.uninstall();
  });
  function shown(data) {
    root = place();
    const full = { words: WORDS, ...data };
    const part = mount(root, full, (message) => sent.push(message));
    parts.push(part);
    return { part, receive: (more = {}) => part.receive({ ...full, ...more }) };
  }
  const find = (selector) => root.querySelector(selector);
  const press = (action, value) => {
    const found = find(`[data-do="${action}"]${value === undefined ? "" : `[data-value="${value}"]`}`);
    assert.ok(found, `${action} ${value}`);
    found.dispatchEvent(new window.MouseEvent("click", { bubbles: true, detail: 0 }));
  };
  const answered = () => ({ client: sent.at(-1).client, seq: sent.at(-1).seq });
  /** What the phone kept of the piece is there for its next page, if that has what was there before. */
  function reloaded(data, away = 0) {
    for (const each of parts.splice(0)) each.destroy();
    clock.tick(away);
    sent = [];
    return shown({ of: "piece-1", ...data });
  }

  setup(() => { globalThis.localStorage = storage(); });
  teardown(() => { delete globalThis.localStorage; });

  suite("clock", () => {
    const time = () => find(".time").textContent;

    test("times are minutes and seconds", () => {
      assert.deepEqual([0, 9.9, 60, 61, 600, 3599.5, 6000].map(clockText), ["0:00", "0:09", "1:00", "1:01", "10:00", "59:59", "100:00"]);
    });

    test("starts, runs, stops and goes back to zero, and says so", () => {
      shown({ piece: "clock", seconds: 0, since: null, now: 5 });
      assert.deepEqual([time(), find("[data-do=reset]"), root.className], ["0:00", null, "surface piece"]);
      press("start");
      assert.deepEqual([sent[0].seconds, sent[0].running, root.dataset.sync], [0, true, "sending"]);
      clock.tick(65_250);
      assert.equal(time(), "1:05");
      press("stop");
      assert.deepEqual([sent.at(-1).seconds, sent.at(-1).running], [65.3, false]);
      clock.tick(10_000);
      assert.equal(time(), "1:05");
      press("start");
      clock.tick(1000);
      press("stop");
      assert.equal(time(), "1:06");
      press("reset");
      assert.deepEqual([time(), sent.at(-1).seconds, find("[data-do=reset]")], ["0:00", 0, null]);
    });

    test("goes on after a reload by the time that passed, whatever the phone's clock says", () => {
      const { receive } = shown({ piece: "clock", seconds: 30, since: 500, now: 510 });
      assert.equal(time(), "0:40");
      assert.equal(find("[data-do=reset]"), null);
      clock.tick(5000);
      assert.equal(time(), "0:45");
      receive({ seconds: 7, since: null, now: 600 });
      assert.equal(time(), "0:07");
      receive({ seconds: 7, since: 700, now: 650 });
      assert.equal(time(), "0:07");
    });

    test("a page that is left before it is answered hands over the time, running or not", () => {
      const stopped = { piece: "clock", seconds: 30, since: null, now: 0 };
      reloaded(stopped);
      press("start");
      clock.tick(5000);
      reloaded(stopped);
      assert.equal(time(), "0:35");
      clock.tick(2000);
      assert.equal(time(), "0:37");
      assert.deepEqual([sent[0].seconds, sent[0].running], [35, true]);
      reloaded(stopped, 60_000);
      assert.equal(time(), "1:37");
      press("stop");
      reloaded(stopped, 60_000);
      clock.tick(2000);
      assert.equal(time(), "1:37");
    });

    test("what comes down is not taken while something waits, nor when it is overtaken", () => {
      const { receive } = shown({ piece: "clock", seconds: 10, since: null, now: 0 });
      press("start");
      receive({ seconds: 99, answers: { client: "you", seq: 1 } });
      assert.equal(time(), "0:10");
      press("stop");
      press("reset");
      receive({ seconds: 50, answers: answered() });
      assert.deepEqual([time(), root.dataset.sync], ["0:50", "calm"]);
      receive({ seconds: 11, answers: { ...answered(), seq: 1 } });
      assert.equal(time(), "0:50");
    });

    test("a lost connection is said; a clock that is gone draws and sends no more", () => {
      const { part, receive } = shown({ piece: "clock", seconds: 0, since: null, now: 0 });
      assert.equal(find(".late").textContent, "");
      press("start");
      clock.tick(2500);
      assert.equal(find(".late").textContent, "‹sync.late›");
      receive({ answers: answered(), since: 0, now: 1 });
      assert.equal(find(".late").textContent, "");
      press("stop");
      const { length } = sent;
      part.destroy();
      root.replaceChildren();
      clock.tick(10_000);
      assert.deepEqual([root.innerHTML, sent.length], ["", length]);
    });

    test("a page has one piece: one that is not cleared away yet is not shown", () => {
      shown({ piece: "clock", seconds: 0, since: null, now: 0 });
      const first = root;
      const second = document.body.appendChild(document.createElement("div"));
      const part = mount(second, { piece: "clock", words: WORDS, seconds: 0, since: null, now: 0 }, () => {});
      assert.equal(first.isConnected, false);
      part.receive({ piece: "clock", words: WORDS, seconds: 0, since: null, now: 0 });
      assert.equal(second.isConnected, true);
      part.destroy();
      parts.pop().destroy();
      const third = document.body.appendChild(document.createElement("div"));
      const other = mount(third, { piece: "clock", words: WORDS, seconds: 0, since: null, now: 0 }, () => {});
      assert.equal(second.isConnected, true);
      // The one before may be taken away after the next one is there.
      const data = { piece: "clock", words: WORDS, seconds: 0, since: null, now: 0 };
      const [fourth, fifth] = [0, 1].map(() => document.body.appendChild(document.createElement("div")));
      parts.push(mount(fourth, data, () => {}));
      other.destroy();
      parts.push(mount(fifth, data, () => {}));
      assert.deepEqual([third, fourth, fifth].map((each) => each.isConnected), [false, false, true]);
      parts[0].receive(data);
      assert.equal(fifth.isConnected, false);
    });
  });

  suite("keypad", () => {
    const players = [{ id: 1, name: "Anna" }, { id: 2, name: "<Bea>" }, { id: 3, name: "Cem" }];
    const pad = (some = players) => shown({ piece: "keypad", players: some, round: 1 });
    const plays = () => sent.at(-1).plays.map(({ player, points, caller }) => [player, points, caller]);

    test("points go to who is chosen; all that is not answered goes up, each once", () => {
      const { receive } = pad();
      press("points", "5");
      press("player", "3");
      press("points", "20");
      assert.deepEqual(plays(), [[1, 5, null], [3, 20, null]]);
      const ids = sent.at(-1).plays.map(({ id }) => id);
      assert.deepEqual(ids, [`${sent[0].client}-1`, `${sent[0].client}-2`]);
      receive({ answers: { client: sent[0].client, seq: 1 } });
      press("points", "35");
      assert.deepEqual(plays(), [[1, 5, null], [3, 20, null], [3, 35, null]]);
      receive({ answers: answered() });
      press("points", "10");
      assert.deepEqual(plays(), [[3, 10, null]]);
      // Under the name of an earlier play it would not count.
      assert.equal(sent.at(-1).plays[0].id, `${sent[0].client}-4`);
    });

    test("missed points go to who called them, who must be named and is forgotten afterwards", () => {
      pad();
      press("missed");
      assert.equal(find('[data-do="points"][data-value="5"]').disabled, true);
      find('[data-do="points"][data-value="5"]').disabled = false;
      press("points", "5");
      assert.equal(sent.length, 0);
      press("caller", "2");
      press("points", "15");
      assert.deepEqual(plays(), [[1, 15, 2]]);
      press("points", "5");
      assert.deepEqual(plays().at(-1), [1, 5, null]);
      press("missed");
      press("caller", "3");
      press("missed");
      press("points", "5");
      assert.deepEqual(plays().at(-1), [1, 5, null]);
      press("missed");
      assert.equal(find('[data-do="caller"][aria-pressed="true"]'), null);
      press("caller", "3");
      press("player", "3");
      assert.equal(find('[data-do="caller"][data-value="3"]'), null);
      assert.equal(find('[data-do="points"][data-value="5"]').disabled, true);
    });

    test("of two players only the other one can have called", () => {
      pad(players.slice(0, 2));
      press("missed");
      press("points", "10");
      assert.deepEqual(plays(), [[1, 10, 2]]);
      press("missed");
      press("player", "2");
      press("points", "10");
      assert.deepEqual(plays().at(-1), [2, 10, 1]);
    });

    test("points that a page before has not got through go up with the next, each once", () => {
      const data = { piece: "keypad", players };
      reloaded(data);
      press("points", "5");
      press("player", "3");
      press("points", "20");
      const ids = sent.at(-1).plays.map(({ id }) => id);
      const { receive } = reloaded(data);
      clock.tick(0);
      assert.deepEqual(sent[0].plays.map(({ id }) => id), ids);
      press("points", "10");
      assert.deepEqual(plays(), [[1, 5, null], [3, 20, null], [1, 10, null]]);
      assert.equal(new Set(sent.at(-1).plays.map(({ id }) => id)).size, 3);
      receive({ answers: answered() });
      press("points", "15");
      assert.deepEqual(plays(), [[1, 15, null]]);
    });

    test("points are of the round that was shown when they were tapped", () => {
      const { receive } = pad();
      press("points", "5");
      receive({ round: 2, answers: { client: "you", seq: 1 } });
      press("points", "10");
      assert.deepEqual(sent.at(-1).plays.map(({ points, round }) => [points, round]), [[5, 1], [10, 2]]);
    });

    test("who is chosen, and that points were missed, stays while others play", () => {
      const { receive } = pad();
      press("player", "2");
      press("missed");
      press("caller", "3");
      receive({ answers: { client: "you", seq: 1 } });
      press("points", "15");
      assert.deepEqual(plays(), [[2, 15, 3]]);
    });

    test("open ends are added; five divides them or they bring nothing", () => {
      pad();
      press("help");
      assert.equal(find(".ends-sum").textContent, "‹keypad.tap_ends›");
      press("end", "3");
      press("end", "12");
      assert.equal(find(".ends-sum").textContent, "3 + 12 = 15");
      assert.notEqual(find('.ends [data-do="points"][data-value="15"]'), null);
      press("end", "1");
      assert.equal(find('.ends [data-do="points"]'), null);
      assert.equal(find(".ends .soft").textContent, "‹keypad.no_points›");
      press("less");
      find('.ends [data-do="points"]').dispatchEvent(new window.MouseEvent("click", { bubbles: true, detail: 0 }));
      assert.deepEqual(plays(), [[1, 15, null]]);
      assert.equal(find(".ends"), null);
      press("help");
      assert.equal(find(".ends-sum").textContent, "‹keypad.tap_ends›");
      press("help");
      assert.equal(find(".ends"), null);
    });

    test("a keypad is drawn as it was looked at", () => {
      pad();
      approved("keypad", root.innerHTML);
      press("missed");
      press("help");
      press("end", "5");
      approved("keypad missed with help", root.innerHTML);
      press("caller", "2");
      press("end", "1");
      approved("keypad called", root.innerHTML);
      shown({ piece: "keypad", players: [] });
      approved("keypad of nobody", root.innerHTML);
      press("points", "5");
      assert.equal(sent.at(-1).plays[0].player, 0);
    });
  });

  suite("hand", () => {
    const CORNERS = (x, y) => [[x, y], [x + 80, y], [x + 80, y + 40], [x, y + 40]];
    const PHOTO = {
      address: "photo/p1", width: 780, height: 1000,
      dominoes: [{ corners: CORNERS(100, 100), runner: null }, { corners: CORNERS(400, 500), runner: "3|5" }, { corners: CORNERS(600, 900), runner: "0|1" }],
    };
    const hand = (data, more = {}) => shown({
      piece: "hand", hand: data, photo: null, highest: 9, middle: null, costs: true, counting: true, elsewhere: {}, ...more,
    });
    const figure = () => find(".figure strong").textContent;
    const up = () => sent.at(-1).hand;

    test("tiles are tapped on the pad of a number; the sum is counted at once", () => {
      hand(null, { highest: 6 });
      assert.equal(find('[data-do="view"][aria-pressed="true"]').dataset.value, "tiles");
      press("toggle", "6|6");
      press("number", "3");
      press("toggle", "3|4");
      assert.deepEqual([up(), figure()], [{ tiles: "6|6 3|4" }, "19"]);
      press("toggle", "3|4");
      press("undo");
      assert.deepEqual(up(), { tiles: "6|6 3|4" });
      assert.deepEqual([sent[0].before, sent.at(-1).before], [null, null]);
    });

    test("with a photo its doubts come first, one after the other", () => {
      hand(READ, { photo: PHOTO });
      assert.equal(find('[data-do="view"][aria-pressed="true"]').dataset.value, "photo");
      const head = () => find(".sheet")?.getAttribute("aria-label");
      assert.equal(find('[data-do="pick"][aria-pressed="true"]').dataset.value, "1");
      press("runner", "3|5");
      assert.deepEqual(up(), { tiles: "5|9 3|5 0|0", places: [0, 1, 2], doubtful: [2] });
      assert.equal(find('[data-do="pick"][aria-pressed="true"]').dataset.value, "2");
      press("confirm");
      assert.deepEqual([up().doubtful, find(".sheet"), figure()], [undefined, null, "72"]);
      press("undo");
      assert.deepEqual(up().doubtful, [2]);
      assert.equal(find(".sheet"), null);
      press("doubts");
      assert.equal(find('[data-do="pick"][aria-pressed="true"]').dataset.value, "2");
      press("close");
      assert.equal(head(), undefined);
    });

    test("halves are set, tiles are taken away, and the next doubt is asked", () => {
      hand(READ, { photo: PHOTO });
      press("low", "7");
      assert.equal(up().tiles, "5|9 4|7 0|0");
      assert.equal(find('[data-do="pick"][aria-pressed="true"]').dataset.value, "1");
      press("high", "2");
      assert.equal(up().tiles, "5|9 2|4 0|0");
      press("remove");
      assert.deepEqual(up(), { tiles: "5|9 0|0", places: [0, 2], doubtful: [1] });
      assert.equal(find('[data-do="pick"][aria-pressed="true"]').dataset.value, "1");
      press("remove");
      assert.deepEqual([up().tiles, find(".sheet")], ["5|9", null]);
      press("pick", "0");
      press("undo");
      assert.deepEqual([up().tiles, find(".sheet")], ["5|9 0|0", null]);
    });

    test("after a tile is taken away the next one is asked, which has its number now", () => {
      hand({ tiles: "1|2 3|4 5|6", places: [0, 1, 2], doubtful: [0, 1, 2] }, { photo: PHOTO });
      press("remove");
      assert.deepEqual([up().tiles, up().doubtful], ["3|4 5|6", [0, 1]]);
      assert.equal(find('[data-do="pick"][aria-pressed="true"]').dataset.value, "0");
    });

    test("doubts are asked round and round, beginning behind the one that was answered", () => {
      hand({ tiles: "1|2 3|4 5|6", places: [0, 1, 2], doubtful: [0, 1, 2] }, { photo: PHOTO });
      press("pick", "1");
      press("doubts");
      assert.equal(find('[data-do="pick"][aria-pressed="true"]').dataset.value, "0");
      press("pick", "1");
      press("confirm");
      assert.equal(find('[data-do="pick"][aria-pressed="true"]').dataset.value, "2");
      press("confirm");
      assert.equal(find('[data-do="pick"][aria-pressed="true"]').dataset.value, "0");
      press("view", "tiles");
      assert.equal(find(".sheet"), null);
      press("doubts");
      assert.equal(find('[data-do="view"][aria-pressed="true"]').dataset.value, "photo");
    });

    test("a number is typed, with or without the double blank, and takes the place of tiles", () => {
      hand({ tiles: "1|2" });
      press("view", "number");
      assert.equal(find('[data-do="count"]').disabled, true);
      for (const digit of ["0", "3", "7"]) press("digit", digit);
      assert.equal(find(".typed").textContent, "37");
      press("count", "blank");
      assert.deepEqual([up(), figure(), find(".typed").textContent], [{ counted: 37, double_blank: true }, "87", "37"]);
      for (const digit of ["1", "2", "3", "4", "5"]) press("digit", digit);
      press("erase");
      assert.equal(find(".typed").textContent, "123");
      press("count", "plain");
      assert.deepEqual(up(), { counted: 123, double_blank: false });
      press("view", "tiles");
      press("toggle", "1|9");
      assert.deepEqual(up(), { tiles: "1|9" });
      press("undo");
      assert.deepEqual(up(), { counted: 123, double_blank: false });
    });

    test("a hand of which everything is undone is not known, one without its tiles has none left", () => {
      hand(null);
      press("toggle", "1|9");
      press("toggle", "1|9");
      assert.deepEqual(up(), { tiles: "" });
      press("undo");
      press("undo");
      assert.equal(up(), null);
    });

    test("what may be missing is asked until somebody says that all are there", () => {
      hand({ tiles: "1|2", incomplete: true });
      press("toggle", "9|9");
      assert.equal(up().incomplete, true);
      press("complete");
      assert.deepEqual([up(), find("[data-do=complete]")], [{ tiles: "1|2 9|9" }, null]);
      press("undo");
      press("undo");
      press("undo");
      assert.equal(sent.length, 4);
    });

    test("a page that is left before it is answered hands over the hand, and what is still to be asked", () => {
      const data = {
        piece: "hand", hand: READ, photo: PHOTO, highest: 9, middle: null, costs: true, counting: true, elsewhere: {},
      };
      reloaded(data);
      press("confirm");
      reloaded(data);
      assert.equal(find('[data-do="pick"][aria-pressed="true"]').dataset.value, "2");
      clock.tick(0);
      assert.deepEqual([up(), sent[0].before], [{ tiles: "5|9 3|4 0|0", places: [0, 1, 2], doubtful: [2] }, READ]);
      press("view", "number");
      press("digit", "8");
      press("count", "plain");
      // Somebody else has changed the hand since: what was done here is still made from the one before.
      reloaded({ ...data, hand: { tiles: "9|9" } });
      assert.deepEqual([figure(), find(".typed").textContent], ["8", "8"]);
      clock.tick(0);
      assert.deepEqual(sent[0].before, READ);
      press("undo");
      assert.equal(up().tiles, "9|9");
    });

    test("an answer that a newer one has overtaken changes nothing that is shown", () => {
      const { receive } = hand(null);
      press("toggle", "1|9");
      press("toggle", "2|9");
      assert.deepEqual(sent[1].done, [{ seq: 1, kind: "set" }, { seq: 2, kind: "set" }]);
      receive({ hand: { tiles: "1|9 2|9" }, highest: 9, answers: answered() });
      receive({ hand: { tiles: "1|9" }, highest: 3, answers: { ...answered(), seq: 1 } });
      assert.deepEqual([figure(), root.querySelectorAll(".pad-of-set button").length], ["21", 10]);
    });

    test("what comes down is taken when nothing waits; another photo begins anew", () => {
      const { receive } = hand(READ, { photo: PHOTO });
      press("confirm");
      receive({ photo: PHOTO, hand: { tiles: "9|9" }, answers: { client: "you", seq: 4 } });
      assert.equal(figure(), "71");
      receive({ photo: PHOTO, hand: { tiles: "9|9" }, answers: answered() });
      assert.deepEqual([figure(), find('[data-do="undo"]').disabled], ["18", false]);
      assert.equal(find(".sheet"), null);
      press("view", "tiles");
      press("toggle", "1|9");
      assert.deepEqual(sent.at(-1).before, { tiles: "9|9" });
      receive({ photo: { ...PHOTO, address: "photo/p2" }, hand: READ, answers: answered() });
      assert.equal(find('[data-do="view"][aria-pressed="true"]').dataset.value, "photo");
      assert.equal(find('[data-do="pick"][aria-pressed="true"]').dataset.value, "1");
      assert.equal(find('[data-do="undo"]').disabled, true);
    });

    test("a tile that another has taken away is picked no more, whatever comes in its place", () => {
      const { receive } = hand({ tiles: "1|2 3|4" });
      press("pick", "1");
      receive({ hand: { tiles: "1|2" } });
      press("toggle", "5|9");
      assert.equal(find(".sheet"), null);
    });

    test("a tap on the photo picks the domino that is nearest, within a finger's width", () => {
      hand({ tiles: "5|9 3|4 0|0 1|1", places: [0, 1, 2, null] }, { photo: PHOTO });
      const frame = find(".hand-photo");
      sized(frame, { x: 10, y: 20, width: 390, height: 500 });
      const at = (x, y, on = frame) => {
        on.dispatchEvent(new window.MouseEvent("click", { bubbles: true, detail: 1, clientX: 10 + x / 2, clientY: 20 + y / 2 }));
        return find('[data-do="pick"][aria-pressed="true"]')?.dataset.value;
      };
      assert.equal(at(440, 520), "1");
      assert.equal(at(180, 130), "0");
      assert.equal(at(640 - 63, 920), "2");
      press("close");
      assert.equal(at(640 - 65, 920), undefined);
      assert.equal(at(10, 990), undefined);
      assert.equal(at(440, 520, find('.hand-photo [data-do="pick"]')), "0");
      press("close");
      assert.equal(at(140, 120, find(".hand-sum")), undefined);
    });

    test("a hand is drawn as it was looked at", () => {
      hand(READ, { photo: PHOTO });
      approved("hand on a photo", root.innerHTML);
      press("close");
      approved("hand on a photo, nothing picked", root.innerHTML);
      press("view", "number");
      approved("hand as a number", root.innerHTML);
      press("view", "tiles");
      approved("hand as tiles", root.innerHTML);
      press("pick", "0");
      approved("hand, a tile sure", root.innerHTML);
      press("pick", "2");
      approved("hand, the double blank", root.innerHTML);
      hand({ tiles: "1|2 1|2", incomplete: true }, { elsewhere: { "9|9": "Be<a" }, middle: "8|9", costs: false, counting: false });
      press("pick", "0");
      approved("hand, a tile twice", root.innerHTML);
      hand({ counted: 1, double_blank: false }, { costs: false });
      approved("hand counted", root.innerHTML);
      hand(null, { highest: 3 });
      approved("hand empty", root.innerHTML);
      hand({ tiles: "0|1" }, { counting: false });
      approved("hand of one point", root.innerHTML);
      hand({ tiles: "3|5 1|1", places: [1, null], doubtful: [0] }, { photo: PHOTO });
      approved("hand, the runner is what it is", root.innerHTML);
    });
  });
});
