// @ts-check
import assert from "node:assert/strict";
import test from "node:test";

import { load } from "./load.mjs";

const model = await load("kingdom");
const {
  AS_READ, History, doubtsOf, formatKingdom, latticePlace, latticePoint, neighbourDoubt, offersAt,
  parseKingdom, parseSquare, squareText,
} = model;

function snapshot(text) {
  const rows = parseKingdom(text);
  return { rows, settled: rows.map((row) => row.map(() => false)), frame: AS_READ };
}
const text = (snapshot) => formatKingdom(snapshot.rows);
const SIDES = ["top", "right", "bottom", "left"];

test("every square of the notation comes back, and nothing else is one", () => {
  const terrains = ["w", "f", "l", "g", "s", "m"];
  for (const terrain of terrains) {
    for (let crowns = 0; crowns <= 3; crowns++) {
      for (let giants = 0; giants <= crowns; giants++) {
        const cell = squareText(terrain, crowns, giants);
        assert.deepEqual(parseSquare(cell), { terrain, crowns, giants, castle: false, piece: "" });
      }
    }
  }
  for (const wrong of ["", "x", "w4", "w0", "w1!!", "c1", "W", "w ", "..", "<b>"]) {
    assert.equal(parseSquare(wrong), null, wrong);
  }
});

test("a kingdom has equal rows of at most nine", () => {
  assert.equal(text(snapshot("w w1 c/m3!! . f")), "w w1 c/m3!! . f");
  assert.equal(parseKingdom("w/w w"), null);
  assert.equal(parseKingdom(Array(10).fill("w").join(" ")), null);
});

test("squares are set and settled, the snapshot before stays", () => {
  const before = snapshot("w f/. c");
  const after = model.withSquares(before, [[0, 1], [5, 5]], "m2!");
  assert.equal(text(after), "w m2!/. c");
  assert.deepEqual(after.settled, [[false, true], [false, false]]);
  assert.equal(text(before), "w f/. c");
});

test("a value that is no square sets nothing", () => {
  assert.equal(text(model.withSquares(snapshot("w"), [[0, 0]], "w9")), "w");
});

test("lines come and go on every side, and squares stay on their place of the photo", () => {
  for (const side of SIDES) {
    const before = snapshot("w f l/g s m");
    const wider = model.withLine(before, side);
    assert.equal(text(model.withoutLine(wider, side)), text(before));
    assert.deepEqual(model.withoutLine(wider, side).frame, before.frame);
    wider.rows.forEach((row, r) =>
      row.forEach((cell, c) => {
        const [i, j] = latticePlace(wider.frame, [r, c]);
        assert.equal(cell, before.rows[i]?.[j] ?? ".");
      }),
    );
  }
});

test("a board has one to nine lines", () => {
  const line = snapshot(Array(9).fill("w").join(" "));
  assert.equal(model.withLine(line, "left"), line);
  assert.equal(model.withoutLine(line, "top"), line);
});

test("a move takes all squares along and loses none", () => {
  assert.equal(text(model.moved(snapshot(". w/. f"), "left")), "w ./f .");
  assert.equal(text(model.moved(snapshot("w ./f ."), "left")), "w ./f .");
  const full = snapshot(`${Array(9).fill(".").join(" ")}/${Array(9).fill("w").join(" ")}`);
  assert.equal(text(model.moved(full, "top")).startsWith("w"), true);
});

test("four turns are none, and every square keeps its place on the photo", () => {
  const before = snapshot("w f l/g s m");
  let now = before;
  for (let turns = 1; turns <= 4; turns++) {
    now = model.turned(now);
    now.rows.forEach((row, r) =>
      row.forEach((cell, c) => {
        const [i, j] = latticePlace(now.frame, [r, c]);
        assert.equal(cell, before.rows[i][j]);
      }),
    );
  }
  assert.deepEqual(now, before);
  assert.equal(text(model.turned(before)), "g w/s f/m l");
});

test("points of a turned board lie where its squares lie", () => {
  const turned = model.turned(snapshot("w f l/g s m"));
  const [row, column] = latticePlace(turned.frame, [2, 0]);
  const middle = latticePoint(turned.frame, [0.5, 2.5]);
  assert.deepEqual(middle, [column + 0.5, row + 0.5]);
});

test("pieces of The Court", () => {
  assert.deepEqual(parseSquare("f:king:7"), {
    terrain: "f", crowns: 0, giants: 0, castle: false, piece: ":king:7" });
  for (const cell of ["w*", "f*", "l*", "g*", "m+1", "s+2", "m:queen", "w:axe-warrior:0", "w:king:99"]) {
    assert.equal(parseSquare(cell)?.piece, cell.slice(1));
  }
  for (const cell of ["s*", "m*", "c*", ".*", "w1*", "w+0", "w+3", "w:", "w:prince", "w1:king",
    "w:king:", "w:king:07", "w:king:100", "w*:king"]) {
    assert.equal(parseSquare(cell), null, cell);
  }
});

test("keys set terrain, crowns and giants", () => {
  const cases = [
    [".", "w", "w"], ["w2", "f", "f"], ["w2", "w", null], ["w2", "3", "w3"], ["w2!!", "1", "w1!"],
    ["w2", "!", "w2!"], ["w2!!", "!", "w2"], [".", "2", null], ["w", "c", "c"],
    ["w", "Delete", "."], ["w", "q", null],
  ];
  for (const [cell, key, after] of cases) {
    assert.equal(model.afterKey(cell, key), after, `${cell} ${key}`);
  }
});

test("undo and redo go back and forth without a limit", () => {
  const history = new History(0);
  for (let step = 1; step <= 2000; step++) history.push(step);
  for (let step = 0; step < 2000; step++) assert.equal(history.undo(), true);
  assert.equal(history.present, 0);
  assert.equal(history.undo(), false);
  assert.equal(history.redo(), true);
  history.push(7);
  assert.equal(history.redo(), false);
  assert.equal(history.present, 7);
});

test("what was before a reload can be undone", () => {
  const history = new History("c", ["a", "b"]);
  assert.equal(history.undo(), true);
  assert.equal(history.undo(), true);
  assert.equal(history.present, "a");
  assert.equal(history.undo(), false);
});

test("doubts are those that nobody settled, through turns", () => {
  const read = (label, doubtful) => ({ label, runnerUp: "f1", doubtful });
  const reading = { homography: [], rows: [[read("w", true), read("f", false)], [read("l", true), read("g", false)]] };
  let now = snapshot("w f/l g");
  assert.deepEqual(doubtsOf(now, reading), [[0, 0], [1, 0]]);
  now = model.turned(now);
  assert.deepEqual(doubtsOf(now, reading), [[0, 0], [0, 1]]);
  now = model.confirmed(now, [0, 0]);
  assert.deepEqual(doubtsOf(now, reading), [[0, 1]]);
  assert.deepEqual(offersAt(now, reading, [0, 1]), ["f1"]);
  assert.deepEqual(neighbourDoubt([[0, 1], [2, 0]], [2, 0]), [0, 1]);
  assert.deepEqual(neighbourDoubt([[0, 1], [2, 0]], [2, 0], -1), [0, 1]);
  assert.equal(neighbourDoubt([], null), null);
});
