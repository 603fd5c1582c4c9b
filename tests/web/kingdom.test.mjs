// @ts-check
/** The kingdom on the board: what is done to it and back again, its place on the photo, its points. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import fc from "fast-check";

import * as model from "../../companion/web/kingdomino/static/kingdom.mjs";
import { cellsOf } from "../../companion/web/kingdomino/static/history.mjs";
import {
  changeOf, complete, openOf, pastOf, sameSnapshot, snapshotOf,
} from "../../companion/web/kingdomino/static/messages.mjs";
import { answerToKingdom } from "./answers.mjs";

const SIDES = /** @type {const} */ (["top", "right", "bottom", "left"]);
const RULES = JSON.parse(readFileSync(new URL("rules.json", import.meta.url), "utf8"));
const OPPOSITE = { top: "bottom", bottom: "top", left: "right", right: "left" };

const cell = fc.oneof(
  fc.constantFrom(".", ".", "c"),
  fc.constantFrom("w*", "m+2", "l:king", "s:axe-warrior:12"),
  fc
    .tuple(fc.constantFrom(...model.TERRAINS), fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 }))
    .map(([terrain, crowns, giants]) => model.squareText(terrain, crowns, giants)),
);
const snapshots = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }))
  .chain(([height, width]) => {
    const table = (each) => fc.array(
      fc.array(each, { minLength: width, maxLength: width }), { minLength: height, maxLength: height });
    return fc.record({
      rows: table(cell),
      settled: table(fc.constantFrom(0, 1, 2)),
      frame: fc.record({
        turns: fc.integer({ min: 0, max: 3 }),
        row: fc.integer({ min: -9, max: 9 }),
        column: fc.integer({ min: -9, max: 9 }),
      }, { noNullPrototype: true }),
    }, { noNullPrototype: true });
  });
const sides = fc.constantFrom(...SIDES);
const text = (snapshot) => model.formatKingdom(snapshot.rows);
const board = (kingdom, settled = "") => snapshotOf({ kingdom, settled, frame: [0, 0, 0] });

/** Every square with its place on the photo: what must not change where nothing is changed. */
function onPhoto({ rows, settled, frame }) {
  const found = new Map();
  rows.forEach((row, r) => row.forEach((value, c) => {
    found.set(String(model.latticePlace(frame, [r, c])), `${value} ${settled[r][c]}`);
  }));
  return found;
}
const sorted = (map) => [...map].sort();

suite("kingdom: notation", () => {
  test("every square of the notation comes back, and nothing else is one", () => {
    assert.deepEqual(model.TERRAINS, ["w", "f", "l", "g", "s", "m"]);
    for (const terrain of model.TERRAINS) {
      for (let crowns = 0; crowns <= model.MAX_CROWNS; crowns++) {
        for (let giants = 0; giants <= crowns; giants++) {
          const square = model.squareText(terrain, crowns, giants);
          assert.deepEqual(model.parseSquare(square), { terrain, crowns, giants, castle: false, piece: "" });
        }
      }
    }
    assert.equal(model.squareText("w", 0), "w");
    assert.equal(model.squareText("w", 2), "w2");
    assert.equal(model.squareText("w", 1, 3), "w1!");
    const bare = { terrain: null, crowns: 0, giants: 0, piece: "" };
    assert.deepEqual(model.parseSquare("."), { ...bare, castle: false });
    assert.deepEqual(model.parseSquare("c"), { ...bare, castle: true });
    for (const wrong of ["", "x", "w4", "w0", "w1!!", "w3!!!!", "c1", "W", "w ", " w", "ww", "..", "<b>"])
      assert.equal(model.parseSquare(wrong), null, wrong);
  });

  test("pieces of The Court stand on land alone, tokens where the terrain has them", () => {
    assert.deepEqual(model.parseSquare("f:king:7"), {
      terrain: "f", crowns: 0, giants: 0, castle: false, piece: ":king:7" });
    const good = ["w*", "f*", "l*", "g*", "m+1", "s+2", "m:queen", "w:axe-warrior:0", "w:king:99",
      ...model.CHARACTERS.map((each) => `s:${each}`)];
    for (const text of good) assert.equal(model.parseSquare(text)?.piece, text.slice(1), text);
    for (const wrong of ["s*", "m*", "c*", ".*", "w1*", "w+0", "w+3", "w:", "w:prince", "w1:king", "w:king:",
      "w:king:07", "w:king:100", "w*:king", "xw*", "w*x", "x:king"])
      assert.equal(model.parseSquare(wrong), null, wrong);
    assert.deepEqual(model.pieceParts(":king:7"), { character: "king", byHand: 7, crowns: 0 });
    assert.deepEqual(model.pieceParts(":queen"), { character: "queen", byHand: null, crowns: 0 });
    assert.deepEqual(model.pieceParts("+2"), { character: "", byHand: null, crowns: 2 });
    assert.deepEqual(model.pieceParts("*"), { character: "", byHand: null, crowns: 0 });
    assert.deepEqual(model.pieceParts(""), { character: "", byHand: null, crowns: 0 });
    assert.deepEqual(["w", "f", "l", "g", "s", "m"].map(model.hasTokens), [true, true, true, true, false, false]);
  });

  test("a kingdom has equal rows of at most nine, and is written as it is read", () => {
    fc.assert(fc.property(snapshots, (snapshot) => {
      assert.deepEqual(model.parseKingdom(text(snapshot)), snapshot.rows);
    }));
    assert.equal(text(board("w w1 c/m3!! . f")), "w w1 c/m3!! . f");
    assert.deepEqual(model.parseKingdom(" w  f /. c "), [["w", "f"], [".", "c"]]);
    const nine = Array(9).fill("w");
    assert.equal(model.parseKingdom(nine.join(" "))?.[0].length, 9);
    assert.equal(model.parseKingdom(nine.join("/"))?.length, 9);
    for (const wrong of ["w/w w", "w w/w", "w w9", "", "w//w", [...nine, "w"].join(" "), [...nine, "w"].join("/")])
      assert.equal(model.parseKingdom(wrong), null, wrong);
  });
});

suite("kingdom: what can be done to it", () => {
  test("squares are set and settled, and only those; the snapshot before stays", () => {
    fc.assert(fc.property(snapshots, cell, fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { maxLength: 4 }),
      (before, value, places) => {
        const was = structuredClone(before);
        const after = model.withSquares(before, /** @type {any} */ (places), value);
        assert.deepEqual(before, was);
        assert.deepEqual(after.frame, before.frame);
        const within = places.filter((place) => model.holds(before, /** @type {any} */ (place)));
        const last = within.at(-1);
        before.rows.forEach((row, r) => row.forEach((old, c) => {
          const set = places.some(([y, x]) => y === r && x === c);
          // There is one castle: set anew, it has moved, and nobody insists on where it was.
          const gone = value === "c" && last && (set || old === "c") && String(last) !== String([r, c]);
          const moves = value === "c" && within.some((place) => String(place) !== String([r, c]));
          assert.equal(after.rows[r][c], gone ? "." : set ? value : old);
          const insists = old === value && !moves && before.settled[r][c] === 2;
          const kept = gone ? Math.min(before.settled[r][c], 1) : before.settled[r][c];
          assert.equal(after.settled[r][c], set ? (insists ? 2 : 1) : kept);
        }));
      }));
    assert.equal(text(model.withSquares(board("w f"), [[-1, 0], [0, -1], [1, 0], [0, 2]], "m")), "w f");
    const same = model.withSquares(board("w"), [[0, 0]], "w9");
    assert.deepEqual([text(same), same.settled], ["w", [[0]]]);
  });

  test("a square found right is settled as it is", () => {
    const after = model.confirmed(board("w f/. c"), [1, 0]);
    assert.deepEqual([text(after), after.settled], ["w f/. c", [[0, 0], [1, 0]]]);
  });

  test("who finds right what the box asks about insists on it, and is not asked again until it is set", () => {
    const open = { "0,1": { offers: ["l"], asked: true, stands: "f" }, "1,1": { offers: [], asked: false, stands: "c" } };
    const before = board("w f/. c");
    const after = model.confirmed(before, [0, 1], open);
    assert.deepEqual([text(after), after.settled, before.settled[0][1]], ["w f/. c", [[0, 2], [0, 0]], 0]);
    assert.deepEqual([model.isAsked(before, [0, 1], open), model.isAsked(after, [0, 1], open)], [true, false]);
    assert.deepEqual(model.confirmed(before, [1, 1], open).settled, [[0, 0], [0, 1]]);
    assert.deepEqual(model.withSquares(after, [[0, 1]], "f").settled, after.settled);
    const set = model.withSquares(after, [[0, 1]], "l");
    assert.deepEqual(set.settled, [[0, 1], [0, 0]]);
    // The question was about what stood there before.
    assert.equal(model.isAsked(set, [0, 1], open), false);
    assert.equal(model.isAsked(set, [0, 1], { "0,1": { offers: ["f"], asked: true, stands: "l" } }), true);
    const castle = { "1,1": { offers: ["."], asked: true, stands: "c" } };
    const insists = model.confirmed(before, [1, 1], castle);
    assert.deepEqual(model.withSquares(insists, [[1, 1]], "c"), insists);
  });

  test("a place is on the board or beside it", () => {
    const small = board("w f l/. c m");
    for (const place of [[0, 0], [1, 2], [0, 2], [1, 0]]) assert.equal(model.holds(small, place), true);
    for (const place of [[-1, 0], [0, -1], [2, 0], [0, 3]]) assert.equal(model.holds(small, place), false);
  });

  test("a line that comes is empty and open to doubt; every square stays on its place of the photo", () => {
    fc.assert(fc.property(snapshots, sides, (before, side) => {
      const across = side === "top" || side === "bottom";
      const after = model.withLine(before, side);
      const [height, width] = [before.rows.length, before.rows[0].length];
      if ((across ? height : width) === 9) {
        assert.equal(after, before);
        return;
      }
      assert.equal(after.rows.length, height + Number(across));
      assert.equal(after.rows[0].length, width + Number(!across));
      assert.deepEqual(after.settled.map((row) => row.length), after.rows.map((row) => row.length));
      const [was, now] = [onPhoto(before), onPhoto(after)];
      for (const [place, value] of was) assert.equal(now.get(place), value);
      for (const [place, value] of now) if (!was.has(place)) assert.equal(value, ". 0");
      const line = { top: after.rows[0], bottom: after.rows.at(-1), left: after.rows.map((row) => row[0]),
        right: after.rows.map((row) => row.at(-1)) }[side];
      assert.ok(line?.every((value) => value === "."));
      assert.deepEqual(model.withoutLine(after, side), before);
    }));
  });

  test("a line that goes takes its squares along, and no other", () => {
    fc.assert(fc.property(snapshots, sides, (before, side) => {
      const across = side === "top" || side === "bottom";
      const after = model.withoutLine(before, side);
      const [height, width] = [before.rows.length, before.rows[0].length];
      if ((across ? height : width) === 1) {
        assert.equal(after, before);
        return;
      }
      const now = onPhoto(after);
      assert.equal(now.size, (height - Number(across)) * (width - Number(!across)));
      const was = onPhoto(before);
      for (const [place, value] of now) assert.equal(was.get(place), value);
      const gone = { top: [0, 0], left: [0, 0], bottom: [height - 1, 0], right: [0, width - 1] }[side];
      assert.equal(now.has(String(model.latticePlace(before.frame, /** @type {any} */ (gone)))), false);
    }));
  });

  test("a board moved there and back is the same, frame included; squares keep their place", () => {
    fc.assert(fc.property(snapshots, sides, (before, side) => {
      const after = model.moved(before, side);
      if (after === before) return;
      assert.deepEqual([after.rows.length, after.rows[0].length], [before.rows.length, before.rows[0].length]);
      const [was, now] = [onPhoto(before), onPhoto(after)];
      for (const [place, value] of was) if (!value.startsWith(".")) assert.equal(now.get(place), value);
      const back = model.moved(after, OPPOSITE[side]);
      assert.deepEqual([back.rows, back.frame], [before.rows, before.frame]);
    }));
  });

  test("a move goes by one towards its side, and loses no square", () => {
    const moves = { left: "w . ./f . .", right: ". . w/. . f", top: ". w ./. f .", bottom: ". w ./. f ." };
    for (const side of SIDES) assert.equal(text(model.moved(board(". w ./. f ."), side)), moves[side], side);
    assert.equal(text(model.moved(board(". ./w ./. ."), "top")), "w ./. ./. .");
    assert.equal(text(model.moved(board(". ./w ./. ."), "bottom")), ". ./. ./w .");
    for (const side of SIDES) {
      const held = board("w w/w w");
      assert.equal(model.moved(held, side), held);
      const one = board(".");
      assert.equal(model.moved(one, side), one);
    }
    const line = board(". .");
    assert.equal(model.moved(line, "top"), line);
    assert.notEqual(model.moved(line, "left"), line);
    const full = board(`${Array(9).fill(".").join(" ")}/${Array(8).fill(Array(9).fill("w").join(" ")).join("/")}`);
    assert.equal(model.moved(full, "top").rows[0][0], "w");
    assert.equal(model.moved(full, "top").rows.length, 9);
  });

  test("four turns are none; at each turn every square keeps its place on the photo", () => {
    fc.assert(fc.property(snapshots, (before) => {
      let now = before;
      for (let turn = 1; turn <= 4; turn++) {
        now = model.turned(now);
        assert.deepEqual(sorted(onPhoto(now)), sorted(onPhoto(before)));
        assert.equal(now.frame.turns, (before.frame.turns + turn) % 4);
      }
      assert.deepEqual(now, before);
    }));
    assert.equal(text(model.turned(board("w f l/g s m"))), "g w/s f/m l");
  });

  test("points between squares go where the squares go", () => {
    fc.assert(fc.property(snapshots, fc.nat(8), fc.nat(8), ({ frame }, row, column) => {
      const [y, x] = model.latticePlace(frame, [row, column]);
      assert.deepEqual(model.latticePoint(frame, [column + 0.5, row + 0.5]), [x + 0.5, y + 0.5]);
      const corners = [[0, 0], [1, 0], [1, 1], [0, 1]].map(([right, down]) =>
        String(model.latticePoint(frame, [column + right, row + down])));
      assert.deepEqual(new Set(corners), new Set([[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]].map(String)));
    }));
  });

  test("a cleared board is empty, and nobody need look at it again", () => {
    const before = snapshotOf({ kingdom: "w f/. c", settled: "0100", frame: [1, 2, 3] });
    const after = model.cleared(before);
    assert.equal(text(after), ". ./. .");
    assert.deepEqual(after.settled, [[1, 1], [1, 1]]);
    assert.deepEqual(after.frame, before.frame);
  });

  test("keys set terrain, crowns and giants", () => {
    /** @type {[string, string, string | null][]} */
    const cases = [
      [".", "w", "w"], ["w2", "f", "f"], ["w2", "F", "f"], ["w2", "w", null], ["w2", "3", "w3"],
      ["w2!!", "1", "w1!"], ["w2", "0", "w"], ["w2", "4", null], ["w2", "!", "w2!"], ["w2!", "!", "w2!!"],
      ["w2!!", "!", "w2"], ["w", "!", "w"], [".", "2", null], [".", "!", null], ["c", "1", null],
      ["w", "c", "c"], ["w", "C", "c"], ["w", "Delete", "."], ["w", "Backspace", "."], ["w", ".", "."],
      ["w", "q", null], ["w", "wf", null], ["w", "12", null], ["?", "w", null],
    ];
    for (const [before, key, after] of cases)
      assert.equal(model.afterKey(before, key), after, `${before} ${key}`);
  });

  test("whatever is done, the board has one to nine lines", () => {
    const steps = fc.array(fc.tuple(fc.constantFrom("line", "less", "move", "turn", "clear", "set"), sides), {
      maxLength: 20 });
    fc.assert(fc.property(snapshots, steps, (now, doings) => {
      for (const [what, side] of doings) {
        now = {
          line: () => model.withLine(now, side), less: () => model.withoutLine(now, side),
          move: () => model.moved(now, side), turn: () => model.turned(now),
          clear: () => model.cleared(now), set: () => model.withSquares(now, [[0, 0]], "m3"),
        }[what]();
        const { rows, settled } = now;
        assert.ok(rows.length >= 1 && rows.length <= 9 && rows[0].length >= 1 && rows[0].length <= 9);
        assert.deepEqual(settled.map((row) => row.length), rows.map(() => rows[0].length));
      }
    }));
  });
});

suite("kingdom: points and doubts", () => {
  test("points are those of the rules", () => {
    for (const each of RULES.kingdoms) assert.deepEqual(answerToKingdom(each), each, each.kingdom);
    assert.equal(model.pointsOf([]), 0);
    assert.equal(model.pointsOf(model.territoriesOf([["w2", "w", "f1"]])), 5);
  });

  const read = (label, runnerUp = null, doubtful = false) => ({ label, runnerUp, doubtful });

  test("doubts are those of the photo that nobody settled, wherever the board lies on it", () => {
    fc.assert(fc.property(snapshots, fc.array(fc.boolean(), { minLength: 400, maxLength: 400 }), (snapshot, flags) => {
      const rows = Array.from({ length: 20 }, (_, r) => Array.from({ length: 20 }, (_, c) =>
        read("w", null, flags[20 * r + c])));
      const expected = [];
      snapshot.rows.forEach((row, r) => row.forEach((_, c) => {
        const [y, x] = model.latticePlace(snapshot.frame, [r, c]);
        const known = y >= 0 && x >= 0 && y < 20 && x < 20;
        if (known && flags[20 * y + x] && !snapshot.settled[r][c]) expected.push([r, c]);
      }));
      const reading = { rows, homography: [] };
      assert.deepEqual(model.doubtsOf(snapshot, reading), expected);
      const turned = model.turned(snapshot);
      assert.equal(model.doubtsOf(turned, reading).length, expected.length);
    }), { numRuns: 60 });
    assert.deepEqual(model.doubtsOf(board("w"), null), []);
  });

  test("what the photo may show instead is offered, the more probable first", () => {
    const reading = { homography: [], rows: [[read("w1", "f2"), read("f", "?"), read("s", "g")]] };
    const now = board("w1 g m/. . .");
    assert.deepEqual(model.offersAt(now, reading, [0, 0]), ["f2"]);
    assert.deepEqual(model.offersAt(now, reading, [0, 1]), ["f"]);
    assert.deepEqual(model.offersAt(now, reading, [0, 2]), ["s", "g"]);
    assert.deepEqual(model.offersAt(now, reading, [1, 0]), []);
    assert.deepEqual(model.offersAt(now, null, [0, 0]), []);
    assert.deepEqual(model.readAt(now, reading, [0, 2])?.runnerUp, "g");
    assert.deepEqual(model.offersAt(now, { homography: [], rows: [[read("l")]] }, [0, 0]), ["l"]);
  });

  test("doubts are stepped through in order, round and round, both ways", () => {
    fc.assert(fc.property(fc.uniqueArray(fc.tuple(fc.nat(8), fc.nat(8)), { selector: String, maxLength: 8 }), (places) => {
      const doubts = /** @type {any} */ (places.sort((a, b) => a[0] - b[0] || a[1] - b[1]));
      doubts.forEach((place, index) => {
        const next = doubts[(index + 1) % doubts.length];
        assert.deepEqual(model.neighbourDoubt(doubts, place), next);
        assert.deepEqual(model.neighbourDoubt(doubts, next, -1), place);
      });
      assert.equal(model.neighbourDoubt(doubts, null), doubts[0] ?? null);
    }));
    assert.deepEqual(model.neighbourDoubt([[0, 1], [2, 0]], [1, 5]), [2, 0]);
    assert.deepEqual(model.neighbourDoubt([[0, 1], [2, 0]], [1, 5], -1), [0, 1]);
    assert.deepEqual(model.neighbourDoubt([[0, 1], [0, 4]], [0, 2]), [0, 4]);
    assert.deepEqual(model.neighbourDoubt([[0, 1], [0, 4]], [0, 2], -1), [0, 1]);
    assert.equal(model.neighbourDoubt([], [1, 1]), null);
  });
});

suite("messages", () => {
  test("a kingdom goes up as it came down", () => {
    fc.assert(fc.property(snapshots, fc.nat(99), (snapshot, base) => {
      const change = changeOf(base, /** @type {any} */ ({ id: "d7" }), snapshot, null);
      assert.deepEqual(snapshotOf(/** @type {any} */ (change)), snapshot);
      assert.equal(sameSnapshot(snapshotOf(/** @type {any} */ (change)), snapshot), true);
      assert.deepEqual([change.base, change.has, change.corners, change.grid], [base, "d7", null, null]);
      assert.match(change.settled, /^[012]+$/);
    }));
  });

  test("what has nothing to say is a board of one empty square; where it lies is where it was read", () => {
    const found = snapshotOf(/** @type {any} */ ({ kingdom: "?", settled: "" }));
    assert.deepEqual(found, { rows: [["."]], settled: [[0]], frame: { turns: 0, row: 0, column: 0 } });
    const given = snapshotOf({ kingdom: "w f/l g", settled: "0010", frame: [3, -1, 2] });
    assert.deepEqual(given.settled, [[0, 0], [1, 0]]);
    assert.deepEqual(given.frame, { turns: 3, row: -1, column: 2 });
  });

  test("two snapshots are the same in squares, settled squares and place, or not the same", () => {
    const one = board("w f", "00");
    assert.equal(sameSnapshot(one, board("w f", "00")), true);
    assert.equal(sameSnapshot(one, board("w/f", "00")), false);
    assert.equal(sameSnapshot(one, board("w f", "01")), false);
    for (const part of ["turns", "row", "column"])
      assert.equal(sameSnapshot(one, { ...one, frame: { ...one.frame, [part]: 2 } }), false, part);
  });

  test("corners go up to a tenth of a pixel, in their order, with rows before columns", () => {
    const corners = { corners: [[1.23, 4.56], [7, 8.04], [9.99, 1], [2, 3]], rows: 4, columns: 6 };
    const change = changeOf(1, /** @type {any} */ ({ id: "d" }), board("w"), /** @type {any} */ (corners));
    assert.deepEqual(change.corners, [[1.2, 4.6], [7, 8], [10, 1], [2, 3]]);
    assert.deepEqual(change.grid, [4, 6]);
  });

  test("what was done before comes down step by step, or as the number of what was read anew", () => {
    const before = { kingdom: ". .", settled: "00", frame: [0, 0, 0] };
    const after = { kingdom: "w .", settled: "20", frame: [1, 2, 3] };
    assert.deepEqual(pastOf(/** @type {any} */ ({ past: [{ change: 7 }, { before, after }] })),
      [{ change: 7 }, { before: snapshotOf(/** @type {any} */ (before)), after: snapshotOf(/** @type {any} */ (after)) }]);
    assert.deepEqual(pastOf(/** @type {any} */ ({})), []);
  });

  test("what is to be looked at knows what stands there, by the place on the lattice", () => {
    const state = { kingdom: "w f/l .", settled: "0000", frame: [1, 0, 5] };
    assert.equal(openOf(/** @type {any} */ (state)), undefined);
    const open = { "0,5": { offers: ["g"], asked: true }, "1,5": { offers: [], asked: false }, "9,9": { offers: [], asked: false } };
    const found = openOf(/** @type {any} */ ({ ...state, open }));
    assert.deepEqual(found, {
      "0,5": { offers: ["g"], asked: true, stands: "w" },
      "1,5": { offers: [], asked: false, stands: cellsOf(snapshotOf(/** @type {any} */ (state))).get("1,5")?.value },
      "9,9": { offers: [], asked: false, stands: undefined },
    });
    assert.notEqual(found?.["1,5"].stands, "w");
  });

  test("a state says nothing of what it leaves out", () => {
    const whole = complete(/** @type {any} */ ({ kingdom: "w", notice: "!" }));
    assert.deepEqual(whole, { kingdom: "w", notice: "!", answers: null, score: null, title: null, colour: null });
  });
});
