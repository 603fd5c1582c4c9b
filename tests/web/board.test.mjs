// @ts-check
/** The board: what a person does with fingers, keys and buttons, what is seen, and what goes up. */

import assert from "node:assert/strict";

import FakeTimers from "@sinonjs/fake-timers";
import fc from "fast-check";

import { media, point, press as key, resized, sized, window } from "./page.mjs";
import { approved } from "./approved.mjs";
import { HOMOGRAPHY, PHOTO, WORDS, boardOf, stateOf } from "./boards.mjs";
import { perform, startCorners } from "../../companion/web/kingdomino/static/actions.mjs";
import { mount } from "../../companion/web/kingdomino/static/board.mjs";
import { Corners } from "../../companion/web/kingdomino/static/corners.mjs";
import { RollingNumber } from "../../companion/web/kingdomino/static/sheets.mjs";

suite("board", () => {
  let clock, made;
  setup(() => {
    clock = FakeTimers.install();
    made = [];
  });
  teardown(() => {
    for (const each of made) each.board.destroy();
    clock.uninstall();
    media["(prefers-reduced-motion: reduce)"] = true;
  });
  /** What is so many pixels high, of which 800 are in sight. */
  const scrollable = (element, height = 2000) => Object.defineProperties(element, {
    scrollHeight: { value: height, configurable: true }, clientHeight: { value: 800, configurable: true },
  });
  const on = async (...given) => {
    const board = await boardOf(...given);
    made.push(board);
    return board;
  };
  const EMPTY = ". . ./. . ./. . .";

  test("a tap chooses a square, a value sets it and goes up with the kingdom", async () => {
    const { board, sent, text, press, find, at, root, kinds } = await on(EMPTY);
    assert.equal(root.className, "board");
    point(board.stage.element, "down", at(1, 2));
    point(board.stage.element, "up", at(1, 2));
    assert.deepEqual([board.mode, board.selected, root.dataset.mode], ["square", [1, 2], "square"]);
    press("set", "m2");
    assert.equal(text(), ". . ./. . m2/. . .");
    assert.deepEqual(sent[0].done, [{ seq: 1, kind: "set", squares: [[1, 2]], value: "m2" }]);
    assert.deepEqual([sent[0].kingdom, sent[0].settled, sent[0].base], [text(), "000001000", 4]);
    assert.equal(find(".number").textContent, "2");
    assert.equal(find(".live").textContent, "2 points");
    press("set", "m2");
    assert.equal(sent.length, 1);
    assert.equal(find('[data-place="1,2"]').getAttribute("aria-pressed"), "true");
    press("close");
    assert.deepEqual([board.mode, board.selected], ["rest", null]);
    assert.deepEqual(kinds(), ["set"]);
  });

  test("a tap beside the board closes what is open", async () => {
    const { board, onSquare, at } = await on(". .");
    onSquare(0, 1).dispatchEvent(new window.MouseEvent("click", { bubbles: true }));
    assert.equal(board.mode, "square");
    const beside = { clientX: at(0, 0).clientX, clientY: 395 };
    point(board.stage.element, "down", beside);
    point(board.stage.element, "up", beside);
    assert.deepEqual([board.mode, board.selected], ["rest", null]);
  });

  test("a tap beside the board, on whichever side, is on no square", async () => {
    const { board } = await on(". . ./. . .");
    const { scene } = board.stage;
    const at = (x, y) => scene.squareAt(scene.place([x, y]), board.snapshot);
    assert.deepEqual([at(0, 0), at(2.99, 1.99)], [[0, 0], [1, 2]]);
    for (const [x, y] of [[-0.01, 1], [3, 1], [1, -0.01], [1, 2]]) assert.equal(at(x, y), null, `${x} ${y}`);
  });

  test("squares are cut out of the photo only where it is there and was read", async () => {
    for (const [more, shown] of /** @type {[object, boolean][]} */ ([[{ doubts: [] }, true], [{ photo: true }, false], [{ doubts: [], photo: false }, false]])) {
      const { board, find } = await on("w f", more);
      board.onPhoto = false;
      board.crops = true;
      board.render();
      assert.equal(Boolean(find(".squares image")), shown);
    }
  });

  test("an answer moves the base; one that a newer overtook changes nothing", async () => {
    const { board, sent, answer, text, press, onSquare, find } = await on(EMPTY);
    onSquare(0, 0).dispatchEvent(new window.MouseEvent("click", { bubbles: true }));
    press("set", "w1");
    press("set", "f2");
    answer(sent[0]);
    assert.equal(text(), "f2 . ./. . ./. . .");
    assert.deepEqual([board.base, board.wire.idle], [5, false]);
    answer(sent[1]);
    assert.deepEqual([board.base, board.wire.idle], [6, true]);
    answer(sent[0], { revision: 99, notice: "old" });
    assert.deepEqual([text(), board.base, board.state.revision], ["f2 . ./. . ./. . .", 6, 6]);
    board.render();
    assert.equal(find(".notice"), null);
  });

  test("while something waits, what others did does not become the base", async () => {
    const { board, sent, answer, text, press, onSquare } = await on(EMPTY);
    onSquare(0, 0).dispatchEvent(new window.MouseEvent("click", { bubbles: true }));
    press("set", "w1");
    press("set", "f2");
    const foreign = { kingdom: "c . ./. . ./. . .", answers: { client: "other", seq: 3 }, revision: 9 };
    answer(sent[0], foreign);
    assert.deepEqual([board.base, text()], [4, "f2 . ./. . ./. . ."]);
    answer(sent[0], { kingdom: "c . ./. . ./. . .", revision: 10 });
    assert.deepEqual([board.base, text()], [4, "f2 . ./. . ./. . ."]);
    answer(sent[1], { revision: 11 });
    assert.equal(board.base, 11);
  });

  const THEIRS = { kingdom: "w f/. m", settled: "0001", revision: 8, frame: [0, 0, 0], answers: { client: "you", seq: 1 } };

  test("what somebody else did comes in, is marked and told, and is not taken back here", async () => {
    const { board, text, answer, find, press, kinds, root } = await on("w f/. .");
    board.select([1, 1]);
    answer(/** @type {any} */ (THEIRS), THEIRS);
    assert.deepEqual([text(), board.base, board.selected], ["w f/. m", 8, [1, 1]]);
    assert.equal(find(".news").textContent, "1 squares set elsewhere");
    assert.equal(root.querySelectorAll(".fresh").length, 1);
    assert.equal(find('[data-do="undo"]').disabled, true);
    press("set", "f1");
    assert.deepEqual([find(".news").textContent, root.querySelectorAll(".fresh").length], ["", 0]);
    assert.deepEqual([text(), kinds()], ["w f/. f1", ["set"]]);
  });

  test("what came in is marked for some seconds", async () => {
    const { answer, find, root } = await on("w f/. .");
    answer(/** @type {any} */ (THEIRS), THEIRS);
    clock.tick(5999);
    assert.equal(root.querySelectorAll(".fresh").length, 1);
    clock.tick(1);
    assert.deepEqual([find(".news").textContent, root.querySelectorAll(".fresh").length], ["", 0]);
  });

  test("undo takes back one's own step and leaves what others did since", async () => {
    const { board, text, sent, answer, find, press, root } = await on("w f/. .");
    board.select([0, 0]);
    press("set", "l");
    answer();
    answer(sent[0], { ...THEIRS, kingdom: "l f/. m", settled: "1001" });
    assert.equal(text(), "l f/. m");
    assert.equal(find('[data-do="undo"]').getAttribute("aria-label"), "‹undo›: ‹squares.one›");
    press("undo");
    assert.equal(text(), "w f/. m");
    assert.deepEqual([sent.at(-1).kingdom, sent.at(-1).settled], ["w f/. m", "0001"]);
    assert.equal(find(".news").textContent, "undone ‹squares.one›");
    assert.equal(root.querySelectorAll(".fresh").length, 1);
    press("redo");
    assert.deepEqual([text(), find(".news").textContent], ["l f/. m", "done again ‹squares.one›"]);
  });

  test("a step of which others have set all since is passed over, and that is said", async () => {
    const { board, text, sent, answer, find, press } = await on("w f/. .");
    board.select([1, 1]);
    press("set", "l");
    answer();
    answer(sent[0], THEIRS);
    assert.equal(text(), "w f/. m");
    press("undo");
    assert.deepEqual([text(), sent.length, find(".news").textContent], ["w f/. m", 1, "‹news.overtaken›"]);
  });

  test("what others did comes with the answer to one's own step, and is not taken back with it", async () => {
    const { board, text, sent, answer, find, press } = await on("w f/. .");
    board.select([0, 0]);
    press("set", "l");
    answer(sent[0], { kingdom: "l f/. m", settled: "1001", mine: true });
    assert.equal(find(".news").textContent, "1 squares set elsewhere");
    press("undo");
    assert.equal(text(), "w f/. m");
  });

  test("a step of another is none of this phone, nor are several with one of this phone among them", async () => {
    for (const more of [{ revision: 5 }, { revision: 8, mine: true }]) {
      const { answer, find } = await on("w f/. .");
      answer(/** @type {any} */ (THEIRS), { ...THEIRS, ...more });
      assert.deepEqual([find(".news").textContent, find('[data-do="undo"]').disabled], ["1 squares set elsewhere", true]);
    }
  });

  test("what is told second is seen as long as what was told first", async () => {
    const { answer, find } = await on("w f/. .");
    answer(/** @type {any} */ (THEIRS), THEIRS);
    clock.tick(4000);
    answer(/** @type {any} */ (THEIRS), { ...THEIRS, kingdom: "w f/. s", revision: 9 });
    clock.tick(5999);
    assert.equal(find(".news").textContent, "1 squares set elsewhere");
    clock.tick(1);
    assert.equal(find(".news").textContent, "");
  });

  test("a line that another takes away takes along what was chosen or in focus there", async () => {
    const { board, answer, find, root } = await on("w f/. .");
    board.select([1, 1]);
    answer(/** @type {any} */ (THEIRS), { ...THEIRS, kingdom: "w f", settled: "00" });
    assert.deepEqual([board.selected, board.mode, root.dataset.mode], [null, "rest", "rest"]);
    assert.equal(find('[tabindex="0"][data-place]').dataset.place, "0,0");
  });

  test("a new reading of the same squares leaves what can be taken back", async () => {
    const { board, text, sent, answer, press } = await on("w f/. .", { doubts: [] });
    board.select([0, 0]);
    press("set", "l");
    const dossier = { ...stateOf("w f/. .", { doubts: [[0, 1]] }).dossier, id: "d3" };
    answer(sent[0], { kingdom: "l f/. m", dossier, dossierId: "d3" });
    press("undo");
    assert.equal(text(), "w f/. m");
  });

  test("what this phone did elsewhere on the page is a step of its own", async () => {
    const { text, answer, find, press } = await on("w f/. .");
    answer(/** @type {any} */ (THEIRS), { ...THEIRS, revision: 5, mine: true });
    assert.deepEqual([text(), find(".news").textContent], ["w f/. m", ""]);
    press("undo");
    assert.equal(text(), "w f/. .");
  });

  test("squares that were read anew are taken back by the server, and nothing else meanwhile", async () => {
    const { board, text, sent, answer, press, find } = await on("w f", { doubts: [], past: [{ change: 17 }] });
    assert.equal(find('[data-do="undo"]').getAttribute("aria-label"), "‹undo›: ‹step.read›");
    press("undo");
    assert.deepEqual(sent[0].done, [{ seq: 1, kind: "undo", change: 17 }]);
    board.act("clear", { ...board.snapshot, rows: [["."]], settled: [[1]] });
    assert.deepEqual([text(), sent.length], ["w f", 1]);
    const dossier = { ...stateOf("w f", { doubts: [] }).dossier, id: "d7" };
    dossier.reading = { ...dossier.reading, homography: [9, 0, 0, 0, 9, 0, 0, 0, 1] };
    answer(sent[0], { kingdom: "c g", settled: "00", dossier, dossierId: "d7", past: [PAST] });
    assert.deepEqual([text(), board.busy, board.history.past.length], ["c g", false, 1]);
  });

  const PAST = {
    before: { kingdom: ". .", settled: "00", frame: [0, 0, 0] },
    after: { kingdom: "w .", settled: "10", frame: [0, 0, 0] },
  };

  test("undo and redo are one step each; what was before a reload is there", async () => {
    const { board, text, press, find, kinds } = await on("w .", { past: [PAST], settled: "10" });
    assert.deepEqual([find('[data-do="undo"]').disabled, find('[data-do="redo"]').disabled], [false, true]);
    press("undo");
    assert.deepEqual([text(), find('[data-do="undo"]').disabled, find('[data-do="redo"]').disabled], [". .", true, false]);
    board.undo();
    assert.deepEqual([text(), kinds()], [". .", ["undo"]]);
    key(board.root, "y", { ctrlKey: true });
    assert.equal(text(), "w .");
    key(board.root, "z", { metaKey: true });
    assert.equal(text(), ". .");
    key(board.root, "Z", { ctrlKey: true, shiftKey: true });
    assert.equal(text(), "w .");
  });

  test("where there is nothing to take back or to do again, keys say and do nothing", async () => {
    const { board, root, sent, find } = await on(". .");
    const { renders } = board;
    key(root, "z", { ctrlKey: true });
    key(root, "y", { ctrlKey: true });
    assert.deepEqual([find(".news").textContent, sent.length, board.renders], ["", 0, renders]);
  });

  test("what the box asks about is marked and offered first, settled or not, until it is set", async () => {
    const open = { "0,0": { offers: ["m1", "l"], asked: true }, "0,1": { offers: ["g"], asked: false } };
    const { board, find, press, root } = await on("w f/. .", { doubts: [[0, 1]], settled: "1000", open });
    assert.deepEqual(board.doubts, [[0, 0], [0, 1]]);
    assert.equal(root.querySelectorAll(".doubt.asked").length, 1);
    board.select([0, 0]);
    assert.match(find(".panel").textContent, /‹doubt.box›/);
    assert.deepEqual([...root.querySelectorAll('[data-do="offer"]')].map((each) => each.dataset.value), ["m1", "l", "f1"]);
    press("offer", "m1");
    assert.deepEqual(board.doubts, [[0, 1]]);
  });

  test("it is right, said to a question of the box, goes up and is taken back like any other step", async () => {
    const open = { "0,0": { offers: ["m1"], asked: true } };
    const { board, sent, press, find, kinds } = await on("w f/. .", { doubts: [], settled: "1000", open });
    board.select([0, 0]);
    press("confirm");
    assert.deepEqual([sent.at(-1).settled, kinds(), board.doubts], ["2000", ["confirm"], []]);
    assert.equal(find(".doubt.asked"), null);
    press("undo");
    assert.deepEqual([sent.at(-1).settled, board.doubts], ["1000", [[0, 0]]]);
  });

  test("what a page before it has left behind is shown, sent and can be taken back", async () => {
    const message = {
      client: "me", seq: 4, base: 3, kingdom: "w l/. .", settled: "0100", frame: [0, 0, 0],
      done: [{ seq: 4, kind: "set", squares: [[0, 1]], value: "l" }],
    };
    const kept = JSON.stringify({ message, left: true, at: 0 });
    globalThis.localStorage = /** @type {any} */ ({
      getItem: (key) => (key === "waiting board-1" ? kept : null), setItem() {}, removeItem() {} });
    try {
      const { board, text, sent, press } = await on("w f/. .", { of: "board-1" });
      assert.deepEqual([text(), board.base], ["w l/. .", 3]);
      clock.tick(0);
      assert.deepEqual([sent[0].client, sent[0].seq, sent[0].base, sent[0].kingdom], ["me", 4, 3, "w l/. ."]);
      press("undo");
      assert.deepEqual([text(), sent[1].done.length], ["w f/. .", 2]);
    } finally {
      delete globalThis.localStorage;
    }
  });

  test("what the page before it has left behind and the server has is no step any more", async () => {
    const message = { client: "me", seq: 4, base: 3, kingdom: "w f/. .", settled: "0000", frame: [0, 0, 0], done: [{ seq: 4, kind: "set" }] };
    globalThis.localStorage = /** @type {any} */ ({
      getItem: () => JSON.stringify({ message, left: true, at: 0 }), setItem() {}, removeItem() {} });
    try {
      const { find } = await on("w f/. .", { of: "board-1" });
      assert.equal(find('[data-do="undo"]').disabled, true);
    } finally {
      delete globalThis.localStorage;
    }
  });

  test("late is said, then no more", async () => {
    const { find, press, answer, onSquare } = await on(EMPTY);
    onSquare(0, 0).dispatchEvent(new window.MouseEvent("click", { bubbles: true }));
    press("set", "w1");
    assert.equal(find(".condition"), null);
    clock.tick(2500);
    assert.equal(find(".condition").textContent, "‹sync.late›");
    answer();
    assert.equal(find(".condition"), null);
  });

  suite("painting", () => {
    const painting = async (kingdom = EMPTY) => {
      const board = await on(kingdom);
      board.press("paint");
      board.press("brush", "f1");
      return board;
    };

    test("a stroke is seen at once, goes up once, and is one step of undo", async () => {
      const { board, text, sent, at, press, find } = await painting();
      const stage = board.stage.element;
      point(stage, "down", at(0, 0));
      assert.equal(text(), "f1 . ./. . ./. . .");
      point(stage, "move", at(0, 1));
      point(stage, "move", at(0, 0));
      point(stage, "move", at(1, 1));
      assert.deepEqual([text(), sent.length, find(".number").textContent], ["f1 f1 ./. f1 ./. . .", 0, "0"]);
      assert.equal(find(".territories").innerHTML, "");
      point(stage, "up", at(1, 1));
      assert.notEqual(find(".territories").innerHTML, "");
      assert.deepEqual(sent.map(({ done }) => done.at(-1)), [
        { seq: 1, kind: "paint", squares: [[0, 0], [0, 1], [1, 1]], value: "f1" }]);
      assert.equal(find(".number").textContent, "9");
      press("undo");
      assert.equal(text(), EMPTY);
    });

    test("a stroke that is broken off, or begins a pinch, leaves nothing", async () => {
      const { board, text, sent, at } = await painting();
      const stage = board.stage.element;
      point(stage, "down", at(0, 0));
      point(stage, "cancel", at(0, 0));
      assert.equal(text(), EMPTY);
      point(stage, "down", { ...at(0, 0), pointerId: 1 });
      point(stage, "down", { ...at(2, 2), pointerId: 2 });
      assert.deepEqual([text(), sent.length, board.history.past.length], [EMPTY, 0, 0]);
    });

    test("an answer in the middle of a stroke takes no paint away and makes no step", async () => {
      const { board, text, sent, at, answer } = await painting();
      const stage = board.stage.element;
      point(stage, "down", at(0, 0));
      point(stage, "up", at(0, 0));
      point(stage, "down", at(2, 0));
      answer(sent[0]);
      assert.equal(text(), "f1 . ./. . ./f1 . .");
      point(stage, "move", at(2, 1));
      point(stage, "up", at(2, 1));
      assert.equal(text(), "f1 . ./. . ./f1 f1 .");
      board.undo();
      assert.equal(text(), "f1 . ./. . ./. . .");
      board.undo();
      assert.equal(text(), EMPTY);
    });

    test("what somebody else did in the middle of a stroke wins; the stroke is dropped", async () => {
      const { board, text, sent, at, answer, state } = await painting();
      const stage = board.stage.element;
      point(stage, "down", at(0, 0));
      answer(/** @type {any} */ (state), { kingdom: "c . ./. . ./. . .", settled: "0".repeat(9), frame: [0, 0, 0], answers: null });
      point(stage, "move", at(1, 1));
      point(stage, "up", at(1, 1));
      assert.deepEqual([text(), sent.length], ["c . ./. . ./. . .", 0]);
      board.undo();
      assert.equal(text(), "c . ./. . ./. . .");
    });

    test("nothing else changes the kingdom under a finger that paints", async () => {
      const { board, text, at, sent } = await painting("w . ./. . ./. . .");
      const stage = board.stage.element;
      point(stage, "down", at(2, 2));
      board.undo();
      board.redo();
      board.act("set", { ...board.snapshot, rows: [["m"]], settled: [[1]] });
      assert.deepEqual([board.busy, sent.length, board.history.past.length], [true, 0, 0]);
      point(stage, "up", at(2, 2));
      assert.deepEqual([board.busy, text(), sent.length], [false, "w . ./. . ./. . f1", 1]);
    });

    test("a stroke beside the board is none; a screen reader paints a square by itself", async () => {
      const { board, text, sent, onSquare } = await painting();
      const stage = board.stage.element;
      point(stage, "down", { clientX: 21, clientY: -900 });
      point(stage, "up", { clientX: 21, clientY: -900 });
      assert.equal(sent.length, 0);
      onSquare(2, 1).dispatchEvent(new window.MouseEvent("click", { bubbles: true, detail: 0 }));
      assert.deepEqual([text(), sent[0].done[0].kind, sent[0].done[0].squares], [". . ./. . ./. f1 .", "paint", [[2, 1]]]);
      board.waiting = true;
      point(stage, "down", { clientX: 170, clientY: 250 });
      point(stage, "up", { clientX: 170, clientY: 250 });
      assert.equal(sent.length, 1);
    });

    test("the brush has giants as far as it has crowns; painting ends with what opens it", async () => {
      const { board, press, find } = await painting();
      assert.equal(find('[data-do="brush"][data-value="f1"]').getAttribute("aria-pressed"), "true");
      press("giants", "1");
      assert.equal(board.brush, "f1!");
      assert.equal(find('[data-do="giants"][data-value="2"]').disabled, true);
      press("giants", "0");
      assert.equal(board.brush, "f1");
      assert.equal(find('[data-do="giants"][data-value="-1"]').disabled, true);
      press("paint");
      assert.equal(board.mode, "rest");
    });
  });

  suite("keys", () => {
    const focused = async (kingdom, row = 0, column = 0) => {
      const board = await on(kingdom);
      board.onSquare(row, column).focus();
      return board;
    };

    test("arrows go from square to square and stop at the edge", async () => {
      const { board, onSquare } = await focused(EMPTY, 1, 1);
      for (const [name, expected] of /** @type {[string, number[]][]} */ ([
        ["ArrowUp", [0, 1]], ["ArrowUp", [0, 1]], ["ArrowRight", [0, 2]], ["ArrowRight", [0, 2]],
        ["ArrowDown", [1, 2]], ["ArrowLeft", [1, 1]],
      ])) {
        const event = key(/** @type {any} */ (document.activeElement), name);
        assert.deepEqual([board.focused, event.defaultPrevented], [expected, true], name);
        assert.equal(document.activeElement, onSquare(...expected));
        assert.equal(onSquare(...expected).getAttribute("tabindex"), "0");
      }
      assert.equal(board.mode, "rest");
      board.select([1, 1]);
      key(onSquare(1, 1), "ArrowDown");
      assert.deepEqual(board.selected, [2, 1]);
    });

    test("letters, digits and signs set the square that has the focus", async () => {
      const { text, onSquare, sent } = await focused(EMPTY, 0, 1);
      for (const each of ["w", "3", "!", "q"]) key(onSquare(0, 1), each);
      assert.equal(text(), ". w3! ./. . ./. . .");
      assert.equal(sent.length, 3);
      assert.deepEqual(sent[2].done.at(-1), { seq: 3, kind: "set", squares: [[0, 1]], value: "w3!" });
      assert.equal(key(onSquare(0, 1), "q").defaultPrevented, false);
      assert.equal(key(onSquare(0, 1), "f", { altKey: true }).defaultPrevented, false);
      key(onSquare(0, 1), "Backspace");
      assert.equal(text(), EMPTY);
      assert.equal(key(onSquare(0, 1), "s", { ctrlKey: true }).defaultPrevented, false);
    });

    test("the square that has the focus is seen on a board that is larger than its window", async () => {
      const { board, onSquare } = await focused(Array(9).fill(Array(9).fill("w").join(" ")).join("/"));
      const { view, scene } = board.stage;
      view.zoom(4);
      for (let column = 0; column < 8; column += 1) key(onSquare(0, column), "ArrowRight");
      const [right] = scene.place([9, 1]);
      assert.ok(right <= view.box.x + view.box.width + 1e-6);
    });

    test("the focus that goes along scrolls no page", async () => {
      const { press, find, onSquare } = await on(EMPTY, { doubts: [] });
      const [how, { prototype }] = [[], window.SVGElement];
      const { focus } = prototype;
      onSquare(0, 0).focus();
      prototype.focus = function (given) {
        how.push(given);
        focus.call(this, given);
      };
      try {
        key(onSquare(0, 0), "ArrowDown");
        press("size");
        press("corners");
        focus.call(find('[data-corner="1"]'));
        key(find('[data-corner="1"]'), "ArrowLeft");
      } finally {
        Object.assign(prototype, { focus });
      }
      assert.deepEqual(how, [{ preventScroll: true }, { preventScroll: true }]);
    });

    test("Enter and space choose, Escape closes and gives the focus back; no key goes on to the page", async () => {
      const { board, onSquare, find, root } = await focused(EMPTY, 2, 2);
      let heard = 0;
      document.addEventListener("keydown", () => (heard += 1), { once: true });
      key(onSquare(2, 2), "Enter");
      assert.deepEqual(board.selected, [2, 2]);
      key(find("[data-do=close]"), "Escape");
      assert.deepEqual([board.mode, document.activeElement], ["rest", onSquare(2, 2)]);
      assert.equal(key(onSquare(2, 2), " ").defaultPrevented, true);
      assert.equal(board.mode, "square");
      assert.equal(key(root.querySelector("[data-do=close]"), "w").defaultPrevented, false);
      assert.equal(heard, 0);
    });

    test("keys, brush and sheet give the same kingdom", async () => {
      const cases = [["w", "w"], ["f", "f2", "2"], ["m", "m3!", "3", "!"], ["c", "c"]];
      for (const [first, value, ...more] of cases) {
        const [byKeys, byBrush, bySheet] = [await on(EMPTY), await on(EMPTY), await on(EMPTY)];
        for (const each of [first, ...more]) key(byKeys.onSquare(1, 0), each);
        byKeys.onSquare(1, 0).focus();
        for (const each of [first, ...more]) key(byKeys.onSquare(1, 0), each);
        byBrush.press("paint");
        byBrush.board.brush = value;
        point(byBrush.board.stage.element, "down", byBrush.at(1, 0));
        point(byBrush.board.stage.element, "up", byBrush.at(1, 0));
        bySheet.board.select([1, 0]);
        bySheet.board.act("none", bySheet.board.snapshot);
        bySheet.press("set", value.replace("!", ""));
        if (value.endsWith("!")) bySheet.press("giants", "1");
        assert.equal(byBrush.text(), bySheet.text(), value);
        assert.deepEqual(byBrush.board.snapshot, bySheet.board.snapshot);
      }
    });
  });

  suite("doubts", () => {
    const KINGDOM = "w f/l g";
    const doubts = [[0, 1], [1, 0]];

    test("are stepped through, found right or set, until none is left", async () => {
      const { board, press, find, text, kinds, sent } = await on(KINGDOM, { doubts });
      assert.equal(board.onPhoto, true);
      press("doubts");
      assert.deepEqual([board.mode, board.selected, board.focused], ["doubts", [0, 1], [0, 1]]);
      assert.match(find(".panel").textContent, /1 of 2/);
      press("next-doubt");
      assert.deepEqual(board.selected, [1, 0]);
      press("next-doubt");
      assert.deepEqual(board.selected, [0, 1]);
      press("last-doubt");
      assert.deepEqual(board.selected, [1, 0]);
      press("confirm");
      assert.deepEqual([text(), board.selected, kinds()], [KINGDOM, [0, 1], ["confirm"]]);
      assert.deepEqual(sent[0].done[0].squares, [[1, 0]]);
      press("offer", "f1");
      assert.deepEqual([text(), board.mode, board.selected], ["w f1/l g", "rest", null]);
      assert.equal(find("[data-do=doubts]"), null);
    });

    test("anything else opens the whole choice; a tap on another doubt stays with doubts", async () => {
      const { board, press, at } = await on(KINGDOM, { doubts });
      press("doubts");
      point(board.stage.element, "down", at(1, 0));
      point(board.stage.element, "up", at(1, 0));
      assert.deepEqual([board.mode, board.selected], ["doubts", [1, 0]]);
      press("anything");
      assert.equal(board.mode, "square");
      press("set", "s");
      assert.deepEqual([board.mode, board.selected], ["square", [1, 0]]);
      board.select([0, 0]);
      assert.equal(board.mode, "square");
      press("doubts");
      press("doubts");
      assert.equal(board.mode, "rest");
    });

    test("a doubt that is settled meanwhile, by others or by undo and redo, is a square like any other", async () => {
      const three = [[0, 0], [0, 1], [1, 0]];
      const { board, answer, state, press, find } = await on(KINGDOM, { doubts: three });
      press("doubts");
      answer(/** @type {any} */ (state), { settled: "1000", answers: null });
      assert.deepEqual([board.mode, board.selected, find("[data-do=confirm]")], ["square", [0, 0], null]);
      press("doubts");
      press("confirm");
      press("undo");
      press("last-doubt");
      press("redo");
      assert.deepEqual([board.mode, board.selected, find(".panel .place")], ["square", [0, 1], null]);
    });

    test("what the box asks about no more is a square like any other", async () => {
      const open = { "0,0": { offers: ["m1"], asked: true }, "1,1": { offers: ["s"], asked: true } };
      const { board, press, sent, answer, find } = await on(KINGDOM, { doubts: [], settled: "1001", open });
      press("doubts");
      press("confirm");
      assert.deepEqual([board.mode, board.selected], ["doubts", [1, 1]]);
      answer(sent[0], { open: {} });
      assert.deepEqual([board.mode, board.selected, find("[data-do=doubts]")], ["square", [1, 1], null]);
    });

    test("each is seen on a board that is larger than its window", async () => {
      const { board, press } = await on(Array(9).fill(Array(9).fill("w").join(" ")).join("/"), { doubts: [[0, 0], [8, 8]] });
      board.stage.view.zoom(6);
      for (const [row, column] of [[0, 0], [8, 8], [0, 0]]) {
        press(board.mode === "rest" ? "doubts" : "next-doubt");
        const { box } = board.stage.view;
        const [x, y] = board.stage.scene.place([column + 0.5, row + 0.5]);
        assert.ok(x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height, `${row}`);
      }
    });

    test("confirming or setting without a square chosen does nothing", async () => {
      const { board, sent } = await on(KINGDOM, { doubts });
      for (const action of ["confirm", "set", "offer", "giants", "grid", "read-corners", "nothing"])
        perform(board, action, "w");
      assert.equal(sent.length, 0);
    });
  });

  suite("size and place", () => {
    const actions = /** @type {[string, string | undefined, string, string][]} */ ([
      ["more-lines", "top", "add_line", ". . ./w . ./. . f"], ["less", "bottom", "remove_line", "w . ."],
      ["move", "right", "move", "w . ./. . f"], ["turn", undefined, "turn", ". w/. ./f ."],
      ["clear", undefined, "clear", ". . ./. . ."],
    ]);
    for (const [action, value, kind, expected] of actions)
      test(`${action} goes up as ${kind}, or not at all where it changes nothing`, async () => {
        const { press, text, sent } = await on("w . ./. . f");
        press("size");
        press(action, value);
        assert.equal(text(), expected);
        if (text() === "w . ./. . f") assert.equal(sent.length, 0);
        else assert.deepEqual(sent[0].done.map(({ kind: each, value: side }) => [each, side]), [[kind, value]]);
      });

    test("a square that is gone is neither chosen nor in focus any more", async () => {
      const { board, press } = await on("w f/. .");
      board.select([1, 1]);
      press("size");
      assert.equal(board.selected, null);
      board.selected = [1, 1];
      press("less", "bottom");
      assert.deepEqual([board.selected, board.focused], [null, [0, 0]]);
      press("size");
      assert.equal(board.mode, "rest");
    });
  });

  test("photo or plan, crops, and the squares that a line of points comes from", async () => {
    const bonuses = [{ name: "Harmony", points: 5, squares: [[0, 0]] }];
    const { board, press, find } = await on("w1 w/f c", {
      doubts: [], score: { points: 7, territories: [], bonuses } });
    assert.equal(find(".number").textContent, "7");
    assert.equal(board.stage.svg.classList.contains("on-photo"), true);
    press("view", "plan");
    assert.equal(board.stage.svg.classList.contains("on-photo"), false);
    press("view", "photo");
    assert.equal(board.onPhoto, true);
    press("light", "t0");
    assert.deepEqual(board.shown().lit, [[0, 0], [0, 1]]);
    press("light", "b0");
    assert.deepEqual(board.shown().lit, [[0, 0]]);
    press("light", "b0");
    assert.deepEqual(board.shown().lit, []);
    press("light", "t0");
    board.close();
    assert.equal(board.lit, null);
    press("size");
    press("crops");
    assert.deepEqual([board.crops, board.onPhoto], [true, false]);
    press("crops");
    assert.equal(board.crops, false);
    board.select([1, 0]);
    press("set", "w");
    assert.equal(find(".number").textContent, "8");
  });

  test("squares are cut out of the photo on a plan that was there before, and go back to it", async () => {
    const { press, root } = await on("w f/l c", { doubts: [] });
    press("view", "plan");
    press("size");
    press("crops");
    assert.equal(root.querySelectorAll(".squares image").length, 4);
    press("crops");
    assert.equal(root.querySelectorAll(".squares image").length, 0);
  });

  test("another photo of the same squares is shown in place of the first", async () => {
    const { answer, state, find } = await on("w f", { doubts: [] });
    const dossier = { ...stateOf("w f", { doubts: [] }).dossier, id: "d9", photo: { ...PHOTO, url: "other.jpg" } };
    answer(/** @type {any} */ (state), { ...state, dossier, dossierId: "d9", answers: null });
    assert.equal(find(".ground image").getAttribute("href"), "other.jpg");
  });

  test("labels on the photo say what is new: no doubt any more, other points", async () => {
    const { board, press, onSquare } = await on("w1 f/l m", { doubts: [[0, 0]] });
    const label = () => [onSquare(0, 0).querySelector(".query") !== null, onSquare(0, 0).querySelector(".worth")?.textContent];
    assert.deepEqual(label(), [true, "1"]);
    board.select([0, 0]);
    press("confirm");
    board.close();
    assert.deepEqual(label(), [false, "1"]);
    board.select([0, 1]);
    press("set", "w");
    assert.deepEqual(label(), [false, "2"]);
    assert.equal(onSquare(0, 0).getAttribute("aria-label"), "R1 C1: ‹terrain.w›, ‹crowns.one›, 2 points");
    press("view", "plan");
    assert.equal(onSquare(0, 0).getAttribute("aria-label"), "R1 C1: ‹terrain.w›, ‹crowns.one›");
  });

  test("a plan after the photo is as it is without one, for eyes and fingers", async () => {
    const [{ board, press, at }, { board: plan }] = [await on("w f l/g s m", { doubts: [] }), await on("w f l/g s m")];
    press("view", "plan");
    assert.deepEqual(board.stage.view.whole, plan.stage.view.whole);
    for (const type of ["down", "up"]) point(board.stage.element, type, at(1, 2));
    assert.deepEqual([board.selected, board.focused], [[1, 2], [1, 2]]);
  });

  test("what is chosen, lit or taken for corners does not stay when something else is done", async () => {
    const { board, press, find, root } = await on("w1 f/l c", { doubts: [] });
    press("light", "t0");
    board.select([0, 1]);
    assert.equal(find(".lit"), null);
    press("set", "w1");
    board.close();
    press("light", "t0");
    press("undo");
    assert.equal(find(".lit"), null);
    board.select([0, 1]);
    press("paint");
    assert.equal(find(".chosen"), null);
    press("size");
    press("corners");
    press("paint");
    assert.deepEqual([board.corners, find(".handle"), root.dataset.mode], [null, null, "paint"]);
  });

  test("what is seen fits anew with another column, and with another reading", async () => {
    const { board, press, answer, sent } = await on("w f/l g", { doubts: [] });
    press("size");
    board.stage.view.zoom(2);
    press("more-lines", "right");
    assert.equal(board.stage.view.zoomedIn, false);
    board.stage.view.zoom(2);
    answer(sent[0], { dossier: { ...stateOf("w f/l g", { doubts: [] }).dossier, id: "d5" }, dossierId: "d5" });
    assert.equal(board.stage.view.zoomedIn, false);
  });

  test("the window is zoomed by buttons and fits again", async () => {
    const { board, press } = await on(EMPTY);
    const { width } = board.stage.view.box;
    press("zoom", "1.6");
    assert.ok(Math.abs(board.stage.view.box.width - width / 1.6) < 1e-9);
    assert.equal(board.stage.element.classList.contains("zoomed"), true);
    press("zoom", "0.625");
    press("zoom", "1.6");
    press("fit");
    assert.equal(board.stage.view.box.width, width);
    assert.equal(board.stage.element.classList.contains("zoomed"), false);
  });

  suite("corners", () => {
    const begun = async (given = { doubts: [] }) => {
      const board = await on("w f/l g", given);
      board.press("size");
      board.press("corners");
      return board;
    };
    const onScreen = (board, [x, y]) => {
      const [a, b] = board.stage.view.toScreen([x, y]);
      return { clientX: 20 + a, clientY: 100 + b };
    };

    test("begin where the board was read, or in the middle of the photo", async () => {
      const { board } = await begun();
      assert.equal(board.mode, "corners");
      const near = board.corners.corners.map((corner) => corner.map(Math.round));
      assert.deepEqual(near, [[350, 140], [710, 140], [710, 500], [350, 500]]);
      assert.deepEqual([board.corners.rows, board.corners.columns], [2, 2]);
      const other = await begun({ photo: true });
      assert.deepEqual(other.board.corners.corners, [[440, 240], [1160, 240], [1160, 960], [440, 960]]);
      const { board: without } = await on("w");
      startCorners(without);
      assert.equal(without.corners, null);
    });

    test("a board that is no square begins with corners of its rows and columns", async () => {
      const board = await on("w f l/g s m", { doubts: [] });
      startCorners(board.board);
      assert.deepEqual([board.board.corners.rows, board.board.corners.columns], [2, 3]);
      const near = board.board.corners.corners.map((corner) => corner.map(Math.round));
      assert.deepEqual(near, [[350, 140], [890, 140], [890, 500], [350, 500]]);
    });

    test("handles stay as large under a finger however near the photo is", async () => {
      const { board, find } = await begun();
      const radius = () => Number(find(".handle .reach").getAttribute("r"));
      const before = radius();
      board.stage.view.zoom(2);
      assert.ok(Math.abs(radius() - before / 2) < 1e-6);
    });

    test("a corner that is let go where there is no frame is told, one that was only moved past is not", async () => {
      const { board, find } = await begun();
      const stage = board.stage.element;
      const { renders } = board;
      point(stage, "down", { clientX: 300, clientY: 380 });
      point(stage, "up", { clientX: 300, clientY: 380 });
      assert.equal(board.renders, renders);
      point(stage, "down", onScreen(board, board.corners.corners[0]));
      point(stage, "move", onScreen(board, [1500, 1100]));
      point(stage, "up", onScreen(board, [1500, 1100]));
      assert.equal(find("[data-do=read-corners]").disabled, true);
    });

    test("corners that could not be read stay, and are not waited for any more", async () => {
      const { board, press, sent, answer } = await begun();
      press("read-corners");
      answer(sent[0], { notice: "No grid." });
      assert.deepEqual([board.waiting, board.mode, board.corners !== null], [false, "corners", true]);
    });

    test("a corner goes with the finger that took it, shown enlarged, and stays inside the photo", async () => {
      const { board, find } = await begun();
      const stage = board.stage.element;
      const [x, y] = board.corners.corners[2];
      const from = onScreen(board, [x, y]);
      point(stage, "down", { clientX: from.clientX + 3, clientY: from.clientY - 2 });
      assert.equal(board.corners.held.index, 2);
      assert.equal(find("svg.magnifier").style.left, "156px");
      const to = onScreen(board, [900, 800]);
      point(stage, "move", { clientX: to.clientX + 3, clientY: to.clientY - 2 });
      board.corners.corners[2].forEach((value, axis) => assert.ok(Math.abs(value - [900, 800][axis]) < 1e-6));
      assert.equal(find("svg.magnifier").style.left, "12px");
      point(stage, "move", { clientX: 9999, clientY: 9999 });
      assert.deepEqual(board.corners.corners[2], [PHOTO.width, PHOTO.height]);
      point(stage, "up", { clientX: 9999, clientY: 9999 });
      assert.deepEqual([board.corners.held, find("svg.magnifier")], [null, null]);
    });

    test("a finger away from the corners moves the photo, as far as it was zoomed", async () => {
      const { board } = await begun();
      board.stage.view.zoom(3);
      const { x, y } = board.stage.view.box;
      const { scale } = board.stage.view;
      const stage = board.stage.element;
      point(stage, "down", { clientX: 300, clientY: 380 });
      point(stage, "move", { clientX: 310, clientY: 375 });
      point(stage, "move", { clientX: 312, clientY: 375 });
      point(stage, "up", { clientX: 312, clientY: 375 });
      assert.ok(Math.abs(board.stage.view.box.x - (x - 12 * scale)) < 1e-6);
      assert.ok(Math.abs(board.stage.view.box.y - (y + 5 * scale)) < 1e-6);
      assert.equal(board.stage.dragged, null);
    });

    test("keys move the corner that has the focus, which keeps it", async () => {
      const { board, find } = await begun();
      const handle = () => find('[data-corner="1"]');
      handle().focus();
      const [x, y] = board.corners.corners[1];
      const step = 4 * board.stage.view.scale;
      const moved = () => board.corners.corners[1].map((value, axis) => Math.round((value - [x, y][axis]) / step));
      key(handle(), "ArrowLeft");
      assert.deepEqual(moved(), [-1, 0]);
      assert.equal(document.activeElement, handle());
      key(handle(), "ArrowDown", { shiftKey: true });
      assert.deepEqual(moved(), [-1, 5]);
      assert.equal(key(handle(), "w").defaultPrevented, false);
    });

    test("rows and columns are counted, and go up with the corners until they are read", async () => {
      const { board, press, sent, answer, find } = await begun();
      press("grid", "corners.rows 1");
      press("grid", "corners.columns 1");
      press("grid", "corners.columns 1");
      press("grid", "corners.rows 1");
      press("grid", "corners.rows -1");
      assert.deepEqual([board.corners.rows, board.corners.columns], [3, 4]);
      press("read-corners");
      assert.equal(board.waiting, true);
      assert.deepEqual(sent[0].grid, [3, 4]);
      assert.deepEqual(sent[0].corners.map((corner) => corner.map(Math.round)), [[350, 140], [710, 140], [710, 500], [350, 500]]);
      assert.deepEqual(sent[0].done, [{ seq: 1, kind: "corners" }]);
      assert.notEqual(find(".progress"), null);
      board.select([0, 0]);
      board.undo();
      assert.equal(board.selected, null);
      const dossier = { ...stateOf("w f", { doubts: [[0, 1]] }).dossier, id: "d2" };
      answer(sent[0], { kingdom: "w f", settled: "00", dossier, dossierId: "d2" });
      assert.deepEqual([board.waiting, board.corners, board.mode, board.selected], [false, null, "doubts", [0, 1]]);
      assert.equal(board.onPhoto, true);
    });

    test("begin where the board was read also from the plan, and show the photo when they were read", async () => {
      const { board, press, sent, answer } = await on("w f/l g", { doubts: [] });
      press("view", "plan");
      press("size");
      press("corners");
      assert.deepEqual(board.corners.corners.map((corner) => corner.map(Math.round)), [[350, 140], [710, 140], [710, 500], [350, 500]]);
      press("read-corners");
      answer(sent[0], { dossier: { ...stateOf("w f/l g", { doubts: [] }).dossier, id: "d2" }, dossierId: "d2" });
      assert.deepEqual([board.onPhoto, board.mode, board.selected], [true, "rest", null]);
    });

    test("a change that is sent again while corners are set takes none of them along", async () => {
      const { board, press, sent } = await on("w f/l g", { doubts: [] });
      board.select([0, 0]);
      press("set", "m");
      startCorners(board);
      clock.tick(2500);
      assert.deepEqual([sent.length, sent[1].corners, sent[1].grid], [2, null, null]);
    });

    test("what is no frame is not read; giving up forgets the corners and the waiting", async () => {
      const { board, press, sent, find } = await begun();
      board.corners.put(0, [1500, 1100]);
      board.render();
      assert.equal(find("[data-do=read-corners]").disabled, true);
      press("read-corners");
      assert.equal(sent.length, 0);
      press("close");
      assert.deepEqual([board.corners, board.mode, find(".handle")], [null, "rest", null]);
      press("size");
      press("corners");
      press("read-corners");
      press("close");
      assert.deepEqual([board.corners, board.waiting], [null, false]);
    });

    test("a second finger while a corner is held lets it go where it is", async () => {
      const { board } = await begun();
      const from = onScreen(board, board.corners.corners[0]);
      point(board.stage.element, "down", { ...from, pointerId: 1 });
      point(board.stage.element, "down", { clientX: 300, clientY: 390, pointerId: 2 });
      assert.equal(board.corners.held, null);
    });

    test("corners are taken within a finger's width alone, the nearest of them", () => {
      const corners = new Corners(PHOTO, [[100, 100], [200, 100], [200, 200], [100, 200]], 3, 3);
      assert.equal(corners.take([100, 148], 1), true);
      assert.equal(corners.held.index, 0);
      corners.release();
      assert.equal(corners.take([52, 100], 1), true);
      assert.equal(corners.take([51, 100], 1), false);
      assert.equal(corners.take([51, 100], 1.1), true);
      assert.equal(corners.take([190, 180], 9), true);
      assert.deepEqual(corners.held, { index: 2, offset: [10, 20] });
      corners.drag([0, 0]);
      assert.deepEqual(corners.corners[2], [10, 20]);
      corners.release();
      corners.drag([50, 50]);
      assert.deepEqual(corners.corners[2], [10, 20]);
      corners.put(0, [-5, 9999]);
      assert.deepEqual(corners.corners, [[0, 1200], [200, 100], [10, 20], [100, 200]]);
    });

    test("the enlarged part is on the side where the finger is not", () => {
      const corners = new Corners(PHOTO, [[100, 100], [900, 100], [900, 900], [100, 900]], 3, 3);
      assert.equal(corners.magnifier((at) => at, 2, 300), "");
      corners.take([100, 100], 1);
      const left = corners.magnifier(() => [100, 300], 2, 300);
      assert.match(left, /left:156px;top:128px/);
      assert.match(left, /viewBox="56 56 88 88"/);
      assert.match(corners.magnifier(() => [150, 20], 2, 300), /left:12px;top:12px/);
      approved("magnifier", left);
      approved("corners held", corners.markup(WORDS, 2));
      corners.put(0, [800, 800]);
      approved("corners no frame", corners.markup(WORDS, 2));
    });
  });

  test("a board that is read later shows its photo then; one that is read anew stays in its view", async () => {
    const { board, answer, state } = await on("w f");
    assert.equal(board.onPhoto, false);
    const dossier = (id) => ({ ...stateOf("w f", { doubts: [] }).dossier, id });
    answer(/** @type {any} */ (state), { ...state, dossier: dossier("d2"), answers: null });
    assert.equal(board.onPhoto, true);
    board.onPhoto = false;
    answer(/** @type {any} */ (state), { ...state, dossier: dossier("d3"), answers: null });
    assert.deepEqual([board.onPhoto, board.dossier.id], [false, "d3"]);
  });

  test("what is said above the board does not move it under the finger", async () => {
    const { board, answer, state, root, find } = await on(EMPTY);
    const around = scrollable(root.parentElement);
    around.scrollTop = 100;
    let top = 100;
    board.stage.element.getBoundingClientRect = () => ({ top: find(".notice") ? top + 40 : top, bottom: 400, left: 20, x: 20, y: top, width: 300, height: 300, right: 320 });
    answer(/** @type {any} */ (state), { ...state, notice: "Somebody changed it.", answers: null });
    assert.equal(around.scrollTop, 140);
    assert.match(find(".notice").textContent, /Somebody/);
    answer(/** @type {any} */ (state), { ...state, notice: null, answers: null });
    assert.equal(around.scrollTop, 100);
  });

  test("the page scrolls so far that a chosen square is not under the sheet, also when sizes change", async () => {
    const { board, root, onSquare, find } = await on(EMPTY);
    const around = scrollable(root.parentElement);
    around.scrollTop = 0;
    sized(find(".panel"), { y: 300, width: 300, height: 200 });
    sized(onSquare(2, 2), { y: 340, width: 60, height: 60 });
    sized(onSquare(0, 0), { y: 100, width: 60, height: 60 });
    board.select([0, 0]);
    assert.equal(around.scrollTop, 0);
    board.select([2, 2]);
    assert.equal(around.scrollTop, 108);
    resized(root);
    assert.equal(around.scrollTop, 216);
    point(root, "down", { pointerId: 5 });
    resized(root);
    assert.equal(around.scrollTop, 216);
    dispatchEvent(Object.assign(new window.Event("pointercancel"), { pointerId: 5 }));
    resized(root);
    assert.equal(around.scrollTop, 324);
    board.close();
    resized(root);
    assert.equal(around.scrollTop, 324);

    board.destroy();
    board.mode = "square";
    resized(root);
    assert.equal(around.scrollTop, 324);
  });

  test("without a square, the whole board comes out from under the sheet as far as there is room", async () => {
    const { root, find, press } = await on(EMPTY);
    const around = scrollable(root.parentElement);
    around.scrollTop = 0;
    sized(find(".panel"), { y: 350, width: 300, height: 200 });
    press("size");
    assert.equal(around.scrollTop, 58);
    press("size");
    around.scrollTop = 0;
    sized(find(".panel"), { y: 200, width: 300, height: 200 });
    press("size");
    assert.equal(around.scrollTop, 92);
  });

  test("a page that was scrolled with an open sheet stays where it is, whatever is done there", async () => {
    const { board, root, onSquare, find, press } = await on(EMPTY);
    const around = scrollable(root.parentElement);
    sized(find(".panel"), { y: 300, width: 300, height: 200 });
    sized(onSquare(2, 2), { y: 340, width: 60, height: 60 });
    board.select([2, 2]);
    around.scrollTop = 0;
    press("set", "w1");
    press("giants", "1");
    assert.equal(around.scrollTop, 0);
  });

  test("what changes the place of the board on the page is known from all that is around it", async () => {
    const { board, root, find, onSquare } = await on(EMPTY);
    const around = scrollable(root.parentElement);
    board.select([2, 2]);
    sized(find(".panel"), { y: 300, width: 300, height: 200 });
    sized(onSquare(2, 2), { y: 340, width: 60, height: 60 });
    around.scrollTop = 0;
    sized(root, { y: 40, width: 300, height: 700 });
    resized(around);
    assert.equal(around.scrollTop, 108);
  });

  test("a page that was scrolled stays where it is when it grows below the board", async () => {
    document.body.scrollTop = 0;
    const { board, root, find, onSquare } = await on(EMPTY);
    const around = scrollable(root.parentElement);
    sized(find(".panel"), { y: 300, width: 300, height: 200 });
    sized(onSquare(2, 2), { y: 340, width: 60, height: 60 });
    board.select([2, 2]);
    around.scrollTop = 60;
    sized(root, { y: -60, width: 0, height: 0 });
    resized(around);
    assert.equal(around.scrollTop, 60);
  });

  test("a board that comes does not scroll the page, whatever stands above it", async () => {
    const { prototype } = window.Element;
    const { getBoundingClientRect } = prototype;
    Object.defineProperty(document.body, "scrollHeight", { value: 2000, configurable: true });
    document.body.scrollTop = 0;
    prototype.getBoundingClientRect = /** @type {any} */ (() => ({ top: document.querySelector("header")?.innerHTML ? 60 : 0 }));
    try {
      await on(EMPTY, { notice: "Somebody changed it." });
      assert.equal(document.body.scrollTop, 0);
    } finally {
      Object.assign(prototype, { getBoundingClientRect });
    }
  });

  test("a board in a shadow tree scrolls the page around it, and a corner keeps the focus there", async () => {
    const { board, root, find, press, onSquare } = await on(EMPTY, { doubts: [] });
    const host = document.body.appendChild(document.createElement("div"));
    const shadow = host.attachShadow({ mode: "open" });
    shadow.append(root);
    Object.defineProperty(document.body, "scrollHeight", { value: 2000, configurable: true });
    document.body.scrollTop = 0;
    sized(find(".panel"), { y: 300, width: 300, height: 200 });
    sized(onSquare(2, 2), { y: 340, width: 60, height: 60 });
    board.select([2, 2]);
    assert.equal(document.body.scrollTop, 108);
    press("size");
    press("corners");
    const handle = () => find('[data-corner="1"]');
    handle().focus();
    key(handle(), "ArrowLeft");
    assert.equal(shadow.activeElement, handle());
  });

  test("another reading that nobody here asked for leaves open what is open", async () => {
    const { board, answer, state, press } = await on("w f", { doubts: [[0, 1]] });
    press("size");
    const dossier = { ...stateOf("w f", { doubts: [[0, 0]] }).dossier, id: "d7" };
    answer(/** @type {any} */ (state), { ...state, dossier, answers: null });
    assert.deepEqual([board.mode, board.dossier.id], ["size", "d7"]);
  });

  test("there is no view of a photo that is gone, or was not read", async () => {
    for (const more of [{ doubts: [], photo: false }, { photo: true }]) {
      const { board, find } = await on("w f", more);
      assert.deepEqual([board.onPhoto, find(".views")], [false, null]);
      board.select([0, 1]);
      assert.equal(find(".panel .seen image"), null);
    }
    const { board, answer, state } = await on("w f", { doubts: [] });
    const dossier = { ...stateOf("w f", { doubts: [], photo: false }).dossier, id: "d8" };
    answer(/** @type {any} */ (state), { ...state, dossier, answers: null });
    assert.equal(board.onPhoto, false);
  });

  test("a square that is no doubt leaves the doubts", async () => {
    const { board, press } = await on("w f/l g", { doubts: [[0, 1]] });
    press("doubts");
    board.select([1, 1]);
    assert.equal(board.mode, "square");
  });

  test("points are told when they change, not when a square is chosen", async () => {
    const { board, find, press } = await on("w1 ./. .");
    find(".live").textContent = "";
    board.select([0, 1]);
    assert.equal(find(".live").textContent, "");
    press("set", "w");
    assert.equal(find(".live").textContent, "2 points");
    press("set", ".");
    assert.equal(find(".live").textContent, "‹points.live.one›");
    press("set", "w");
    const { renders } = board;
    board.close();
    board.close();
    assert.equal(board.renders, renders + 1);
  });

  test("a board that is gone does nothing more, neither by a finger nor by itself", async () => {
    const { board, press, sent } = await on("w f/. .");
    board.select([0, 0]);
    press("set", "m");
    press("undo");
    board.close();
    const { element } = board.stage;
    board.destroy();
    const other = await on(EMPTY);
    other.press("size");
    for (const type of ["down", "up"]) point(element, type, { clientX: 100, clientY: 180 });
    assert.equal(board.mode, "rest");
    clock.tick(9000);
    assert.deepEqual([sent.length, document.documentElement.hasAttribute("data-sheet")], [2, true]);
  });

  test("the page knows of an open sheet, also when the board goes", async () => {
    const { board, press } = await on(EMPTY);
    const known = () => document.documentElement.hasAttribute("data-sheet");
    assert.equal(known(), false);
    press("size");
    assert.equal(known(), true);
    press("size");
    assert.equal(known(), false);
    press("size");
    board.destroy();
    assert.equal(known(), false);
  });

  test("a board that is gone listens to nothing any more", async () => {
    /** @type {any[][]} */
    let heard = [];
    const [add, remove] = [globalThis.addEventListener, globalThis.removeEventListener];
    const same = (a, b) => a[0] === b[0] && a[1] === b[1] && Boolean(a[2]) === Boolean(b[2]);
    globalThis.addEventListener = /** @type {any} */ ((...given) => {
      heard.push(given);
      add(.../** @type {[any, any, any]} */ (given));
    });
    globalThis.removeEventListener = /** @type {any} */ ((...given) => {
      heard = heard.filter((each) => !same(each, given));
      remove(.../** @type {[any, any, any]} */ (given));
    });
    try {
      const { board } = await on(EMPTY);
      const fingers = heard.filter(([type]) => type.startsWith("pointer"));
      assert.deepEqual(fingers.map(([type, , capture]) => [type, capture]).sort(),
        [["pointercancel", true], ["pointerdown", true], ["pointerup", true]]);
      board.destroy();
      assert.deepEqual(heard, []);
    } finally {
      Object.assign(globalThis, { addEventListener: add, removeEventListener: remove });
    }
  });

  test("the whole of a chosen square is seen on a board that is larger than its window", async () => {
    const { board } = await on(Array(9).fill(Array(9).fill("w").join(" ")).join("/"));
    for (const place of /** @type {[number, number][]} */ ([[0, 0], [0, 8], [8, 0], [8, 8], [4, 4], [0, 0]])) {
      const { view } = board.stage;
      view.look(view.whole);
      view.zoom(4);
      board.select(place);
      for (const [row, column] of [[0, 0], [0, 1], [1, 0], [1, 1]]) {
        const [px, py] = board.stage.scene.place([place[1] + column, place[0] + row]);
        assert.ok(px >= view.box.x - 1e-6 && px <= view.box.x + view.box.width + 1e-6, `${place} ${px}`);
        assert.ok(py >= view.box.y - 1e-6 && py <= view.box.y + view.box.height + 1e-6, `${place} ${py}`);
      }
    }
  });

  test("the innermost that can scroll scrolls, and no square that is seen is moved", async () => {
    const { board, root, onSquare, find } = await on(EMPTY);
    const outer = root.parentElement;
    const scrolls = (element, height, most) => {
      let top = 0;
      Object.defineProperty(scrollable(element, height), "scrollTop",
        { configurable: true, get: () => top, set: (to) => { top = Math.min(most, to); } });
    };
    scrolls(outer, 2000, 1200);
    scrolls(root, 2000, 0);
    scrolls(find(".stage"), 801, 500);
    sized(find(".panel"), { y: 300, width: 300, height: 200 });
    sized(onSquare(2, 2), { y: 340, width: 60, height: 60 });
    sized(onSquare(0, 0), { y: 100, width: 60, height: 60 });
    outer.scrollTop = 50;
    board.select([0, 0]);
    assert.equal(outer.scrollTop, 50);
    board.select([2, 2]);
    assert.deepEqual([outer.scrollTop, root.scrollTop, find(".stage").scrollTop], [158, 0, 0]);
    scrolls(root, 2000, 1200);
    resized(root);
    assert.deepEqual([outer.scrollTop, root.scrollTop], [158, 108]);
  });

  test("what lies on a square of The Court is laid, changed, counted by hand and taken off", async () => {
    const { board, press, text, find } = await on("f w2/s .", { court: true });
    board.select([0, 0]);
    press("piece", ":queen");
    assert.equal(text(), "f:queen w2/s .");
    press("piece", ":queen:1");
    assert.equal(text(), "f:queen:1 w2/s .");
    press("piece", "+1");
    assert.equal(text(), "f+1 w2/s .");
    press("piece", "+1");
    assert.equal(text(), "f w2/s .");
    board.select([0, 1]);
    assert.equal(find('[data-do="piece"]').disabled, true);
    perform(board, "piece", "+1");
    board.select([1, 1]);
    perform(board, "piece", "+1");
    assert.equal(text(), "f w2/s .");
    press("close");
    press("paint");
    press("brush", "g");
    press("piece", "*");
    assert.equal(board.brush, "g*");
    press("piece", "*");
    assert.deepEqual([board.brush, text()], ["g", "f w2/s ."]);
  });

  test("a character has the points that are counted for its own square, until they are given by hand", async () => {
    const bonuses = [{ name: "King", points: 3, squares: [[0, 1]] }, { name: "Queen", points: 5, squares: [[0, 0]] }];
    const { board, press, find, text } = await on("f:queen f:king/s .", { court: true, score: { points: 8, territories: [], bonuses } });
    const counter = () => {
      const [fewer, more, again] = [...find(".counter").querySelectorAll("button")];
      return [find(".counter b").textContent, find(".counter span").textContent, fewer.dataset.value, fewer.disabled,
        more.dataset.value, more.disabled, again?.dataset.value];
    };
    board.select([0, 0]);
    assert.deepEqual(counter(), ["5", "‹points.counted›", ":queen:4", false, ":queen:6", false, undefined]);
    press("piece", ":queen:4");
    assert.deepEqual(counter(), ["4", "‹points.by_hand›", ":queen:3", false, ":queen:5", false, ":queen"]);
    for (const value of [":queen:3", ":queen:2", ":queen:1", ":queen:0"]) press("piece", value);
    assert.deepEqual(counter(), ["0", "‹points.by_hand›", ":queen:-1", true, ":queen:1", false, ":queen"]);
    const chosen = [...find(".pieces").querySelectorAll("[aria-pressed=true]")].map((each) => each.dataset.value);
    assert.deepEqual(chosen, [":queen"]);
    find(".counter button:last-child").click();
    assert.equal(text(), "f:queen f:king/s .");
    perform(board, "piece", ":queen:99");
    assert.deepEqual(counter().slice(0, 6), ["99", "‹points.by_hand›", ":queen:98", false, ":queen:100", true]);
  });

  test("moving moves, and fingers on buttons do what keys do", async () => {
    const { text, press, sent, find } = await on("w ./f .");
    const size = find('[data-do="size"]');
    for (const type of ["down", "up"]) point(size, type);
    press("move", "right");
    assert.deepEqual([text(), sent[0].done[0]], [". w/. f", { seq: 1, kind: "move", value: "right" }]);
  });

  test("a board in another size fits again", async () => {
    const { board } = await on(EMPTY);
    board.stage.view.zoom(3);
    sized(board.stage.element, { x: 20, y: 100, width: 600, height: 300 });
    resized(board.stage.element);
    assert.equal(board.stage.view.zoomedIn, false);
    assert.equal(board.stage.view.box.width / board.stage.view.box.height, 2);
  });

  test("the number rolls to its new value, at once where less motion is wished", () => {
    const element = document.createElement("b");
    const number = new RollingNumber(element);
    assert.equal(element.textContent, "0");
    number.show(20);
    assert.equal(element.textContent, "20");
    media["(prefers-reduced-motion: reduce)"] = false;
    number.show(40);
    assert.equal(element.textContent, "21");
    clock.tick(225);
    const middle = Number(element.textContent);
    assert.ok(middle > 36 && middle < 40, String(middle));
    number.show(40);
    clock.tick(300);
    assert.equal(element.textContent, "40");
    number.show(10);
    assert.equal(element.textContent, "39");
    number.show(12, true);
    assert.equal(element.textContent, "12");
    clock.tick(1000);
    assert.equal(element.textContent, "12");
    // Another change on the way goes on from what is seen.
    number.show(60);
    clock.tick(100);
    const seen = Number(element.textContent);
    number.show(0);
    assert.deepEqual([seen > 13 && seen < 60, element.textContent], [true, String(seen - 1)]);
  });

  test("the number of a board that is new stands at once", async () => {
    media["(prefers-reduced-motion: reduce)"] = false;
    const { find } = await on("w1 w");
    assert.equal(find(".number").textContent, "2");
  });

  test("each label lies over its pixel of the photo, whatever is done to the board", async () => {
    const kingdom = ". . . ./. w1 f ./. l m2 ./. . . .";
    const steps = fc.array(fc.tuple(
      fc.constantFrom("more-lines", "less", "move", "turn"), fc.constantFrom("top", "right", "bottom", "left")), { maxLength: 6 });
    const { board, press, root } = await on(kingdom, { doubts: [] });
    const cells = new Map();
    kingdom.split("/").forEach((line, r) => line.split(" ").forEach((value, c) => cells.set(`${r},${c}`, value)));
    press("size");
    fc.assert(fc.property(steps, (doings) => {
      for (const [action, side] of doings) perform(board, action, side);
      for (const element of root.querySelectorAll("[data-place]")) {
        const [row, column] = element.dataset.place.split(",").map(Number);
        const value = board.snapshot.rows[row][column];
        if (value === ".") continue;
        const numbers = element.querySelector("path.square").getAttribute("d").match(/-?[\d.]+/g).map(Number);
        const middle = [0, 1].map((axis) => numbers.filter((_, i) => i % 2 === axis).reduce((a, b) => a + b, 0) / 4);
        const there = [(middle[1] - HOMOGRAPHY[5]) / 180, (middle[0] - HOMOGRAPHY[2]) / 180].map(Math.floor);
        assert.equal(cells.get(String(there)), value);
        // What a sheet shows enlarged is cut out there too.
        const cut = board.stage.scene.photoCorners(board.shown(), [row, column]);
        const around = [0, 1].map((axis) => cut.reduce((sum, corner) => sum + corner[axis], 0) / 4);
        around.forEach((value, axis) => assert.ok(Math.abs(value - middle[axis]) < 0.02));
        assert.deepEqual(board.stage.scene.squareAt(/** @type {any} */ (middle), board.snapshot), [row, column]);
      }
      for (const _ of doings) board.undo();
    }), { numRuns: 5 });
  });

  test("mounted, a board keeps what is sent once for all boards, and asks for what it lacks", async () => {
    const { place } = await import("./page.mjs");
    const [sent, id] = [[], crypto.randomUUID()];
    const root = place();
    const state = stateOf("w f", { photo: true });
    const bare = { ...state, dossierId: id, dossier: undefined };
    const part = mount(root, /** @type {any} */ (bare), (message) => sent.push(message));
    assert.deepEqual([sent, root.className, root.querySelector(".board")], [[{ has: null }], "board-place", null]);
    part.receive({ ...bare, dossier: { ...state.dossier, id }, setsCorners: true });
    assert.equal(root.querySelector(".board").dataset.mode, "corners");
    part.receive({ ...bare, kingdom: "w c" });
    assert.equal(root.querySelectorAll("[data-place]").length, 2);
    part.destroy();
    const again = mount(place(), /** @type {any} */ (bare), (message) => sent.push(message));
    assert.equal(sent.length, 1);
    assert.equal(document.querySelector(".board").dataset.mode, "rest");
    again.destroy();
    mount(place(), /** @type {any} */ ({ ...bare, dossierId: `${id}9` }), () => {}).destroy();
  });

  test("mounted, a board begins with the brush where it is to, and takes its sheet along", async () => {
    const { place } = await import("./page.mjs");
    const part = mount(place(), /** @type {any} */ (stateOf(EMPTY, { paints: true })), () => {});
    assert.equal(document.querySelector(".board").dataset.mode, "paint");
    part.destroy();
    assert.equal(document.documentElement.hasAttribute("data-sheet"), false);
  });

});
