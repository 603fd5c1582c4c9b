// @ts-check
/** What is taken back: one's own step, whatever happened since. */

import assert from "node:assert/strict";

import fc from "fast-check";

import * as model from "../../companion/web/kingdomino/static/kingdom.mjs";
import { History, cellsOf, differences, withWay } from "../../companion/web/kingdomino/static/history.mjs";
import { snapshotOf } from "../../companion/web/kingdomino/static/messages.mjs";

const SIDES = /** @type {const} */ (["top", "right", "bottom", "left"]);
const LABELS = [".", "w", "f1", "l2", "m3", "c"];
const text = ({ rows }) => rows.map((row) => row.join(" ")).join("/");
const of = (kingdom, settled = "0".repeat(kingdom.split(/[/ ]/).length), frame = [0, 0, 0]) =>
  snapshotOf(/** @type {any} */ ({ kingdom, settled, frame }));

/** What can be done: squares, lines, moves, turns. */
const doing = fc.oneof(
  fc.tuple(fc.constant("set"), fc.nat(4), fc.nat(4), fc.constantFrom(...LABELS)),
  fc.tuple(fc.constantFrom("line", "less", "move", "turn", "clear"), fc.constantFrom(...SIDES)),
);
const start = fc.constantFrom(
  of("w f l/. c m1/g s w"), of("c .", "00", [2, -3, 4]), of(". . ./. c ./. . .", "000010000", [1, 0, 2]));

/** @param {any} now */
function done(now, [what, one, other, value]) {
  if (what === "set") {
    const place = /** @type {[number, number]} */ ([one % now.rows.length, other % now.rows[0].length]);
    return model.withSquares(now, [place], value);
  }
  return { line: () => model.withLine(now, one), less: () => model.withoutLine(now, one),
    move: () => model.moved(now, one), turn: () => model.turned(now), clear: () => model.cleared(now) }[what]();
}

suite("history", () => {
  test("undo and redo give exactly what was before, step by step", () => {
    fc.assert(fc.property(start, fc.array(doing, { maxLength: 15 }), (first, doings) => {
      const history = new History(first);
      const all = [first];
      for (const each of doings) {
        const next = done(history.present, each);
        if (JSON.stringify(next) === JSON.stringify(history.present)) continue;
        history.push(next);
        all.push(next);
      }
      for (const each of [...all].reverse().slice(1)) {
        assert.ok(history.undo());
        assert.deepEqual(history.present, each);
      }
      assert.equal(history.undo(), null);
      for (const each of all.slice(1)) {
        assert.ok(history.redo());
        assert.deepEqual(history.present, each);
      }
      assert.equal(history.redo(), null);
    }));
  });

  test("after something new, what was taken back is not done again; somebody else's step ends nothing", () => {
    const history = new History(of("w . ."));
    history.push(of("w f ."));
    history.undo();
    history.push(of("w . l"));
    assert.equal(history.redo(), null);
    assert.equal(text(history.present), "w . l");
    history.undo();
    history.arrive(of("w g ."));
    assert.ok(history.redo());
    assert.equal(text(history.present), "w g l");
  });

  test("whatever two people do, an undo changes no square but those of the step, and none that was set since", () => {
    const both = fc.array(fc.tuple(fc.boolean(), doing), { minLength: 1, maxLength: 12 });
    fc.assert(fc.property(start, both, (first, doings) => {
      const history = new History(first);
      for (const [mine, each] of doings) {
        const next = done(history.present, each);
        if (mine) history.push(next);
        else history.arrive(next);
      }
      const before = history.present;
      const step = history.undo();
      if (!step || "change" in step) return;
      const cells = cellsOf(before);
      for (const place of differences(before, history.present)) {
        assert.ok(differences(step.before, step.after).has(place));
        const [now, after] = [cells.get(place), cellsOf(step.after).get(place)];
        assert.deepEqual([now?.value ?? ".", now?.settled ?? 0], [after?.value ?? ".", after?.settled ?? 0]);
      }
      assert.ok(history.present.rows.length <= 9 && history.present.rows[0].length <= 9);
    }));
  });

  test("what another did since stays: squares, turns, lines", () => {
    const history = new History(of("w f/. c"));
    history.push(model.withSquares(history.present, [[0, 0]], "l"));
    history.arrive(model.turned(model.withSquares(history.present, [[1, 0]], "m2")));
    assert.equal(text(history.present), "m2 l/c f");
    assert.ok(history.undo());
    assert.equal(text(history.present), "m2 w/c f");
    assert.equal(history.present.frame.turns, 1);
    history.arrive(model.withLine(history.present, "left"));
    assert.ok(history.redo());
    assert.equal(text(history.present), ". m2 l/. c f");
  });

  test("a turn is taken back also where another has turned, set and moved since", () => {
    const history = new History(of("w f/. c"));
    history.push(model.turned(history.present));
    history.arrive(model.withSquares(history.present, [[1, 1]], "g"));
    assert.ok(history.undo());
    assert.deepEqual([text(history.present), history.present.frame.turns], ["w g/. c", 0]);
  });

  test("a step that others have overtaken is passed over for the one before it", () => {
    const history = new History(of("w f"));
    history.push(of("l f", "10"));
    history.push(of("l m", "11"));
    history.arrive(of("l s", "11"));
    assert.ok(history.undo());
    assert.equal(text(history.present), "w s");
    assert.equal(history.undo(), null);
  });

  test("a castle that another has moved is not there twice", () => {
    const history = new History(of("c . ."));
    history.push(model.withSquares(history.present, [[0, 1]], "c"));
    history.arrive(model.withSquares(history.present, [[0, 2]], "c"));
    history.undo();
    assert.equal(text(history.present), ". . c");
  });

  test("lines that would not fit stay away; what is done after an undo ends what could be done again", () => {
    const long = of(`${". ".repeat(8)}w`);
    const moved = withWay(long, of(". f", "00", [0, 0, -1]), of(". .", "00", [0, 0, -1]));
    assert.equal(moved.rows[0].length, 9);
    const history = new History(of("w"));
    history.push(of("f", "1"));
    history.undo();
    history.push(of("l", "1"));
    assert.equal(history.redo(), null);
  });

  test("a line that is brought back stays away where others have taken its room", () => {
    for (const [line, away, other] of /** @type {const} */ ([[" ", "left", "right"], ["/", "top", "bottom"]])) {
      const history = new History(of(Array(9).fill("w").join(line)));
      history.push(model.withoutLine(history.present, away));
      history.arrive(model.withLine(history.present, other));
      history.undo();
      assert.equal(text(history.present), [...Array(8).fill("w"), "."].join(line));
    }
  });

  test("where an unsettled castle was, it stays unsettled", () => {
    const { settled } = model.withSquares(of("c . ."), [[0, 1]], "c");
    assert.deepEqual(settled, [[0, 1, 0]]);
  });

  test("what was read anew is named by its change, and ends the way back", () => {
    const history = new History(of("w"), [{ change: 12 }]);
    assert.deepEqual(history.undo(), { change: 12 });
    assert.deepEqual([history.undo(), history.future], [null, []]);
  });
});
