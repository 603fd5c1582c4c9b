// @ts-check
/** The hand in work, without a page. */

import assert from "node:assert/strict";
import test from "node:test";
import { pathToFileURL } from "node:url";

const model = await import(
  `${pathToFileURL(String(process.env.WEB)).href}/pip_dominoes/static/model.mjs`
);

const READ = { tiles: "5|9 3|4 0|0", places: [0, 1, 2], doubtful: [1, 2] };

test("a hand goes up as it came down", () => {
  for (const data of [READ, { tiles: "5|9", incomplete: true }, { tiles: "" }, { counted: 37, double_blank: true }])
    assert.deepEqual(model.dataOf(model.handOf(data)), data);
});

test("a hand that is not there yet is empty", () => {
  assert.deepEqual(model.dataOf(model.handOf(null)), { tiles: "" });
});

test("the double blank costs 50 where it costs at all", () => {
  const hand = model.handOf(READ);
  assert.equal(model.points(hand, true), 71);
  assert.equal(model.points(hand, false), 21);
  assert.equal(model.points(model.countedHand(12, true), true), 62);
  assert.equal(model.points(model.countedHand(12, false), true), 12);
});

test("what a person set is in doubt no more", () => {
  const hand = model.handOf(READ);
  assert.deepEqual(model.doubts(hand), [1, 2]);
  assert.deepEqual(model.doubts(model.confirmed(hand, 2)), [1]);
  const mended = model.withHalf(hand, 1, 1, 2);
  assert.deepEqual(mended.tiles[1], { tile: { low: 2, high: 3 }, place: 1, doubtful: false });
});

test("a tile that is there twice is in doubt whatever anybody says", () => {
  const hand = model.withTile(model.handOf(READ), 1, { low: 5, high: 9 });
  assert.deepEqual(model.doubts(hand), [0, 1, 2]);
  assert.deepEqual(model.doubts(model.without(hand, 1)), [1]);
});

test("the pad puts a tile in and takes it out again", () => {
  const tile = { low: 1, high: 6 };
  const hand = model.toggled(model.handOf({ tiles: "5|9" }), tile);
  assert.equal(model.dataOf(hand).tiles, "5|9 1|6");
  assert.equal(model.dataOf(model.toggled(hand, tile)).tiles, "5|9");
});

test("a tapped tile takes the place of a number", () => {
  const hand = model.toggled(model.countedHand(12, true), { low: 1, high: 6 });
  assert.deepEqual(model.dataOf(hand), { tiles: "1|6" });
});
