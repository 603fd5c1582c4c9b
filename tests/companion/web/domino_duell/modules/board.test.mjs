// @ts-check
import assert from "node:assert/strict";
import test from "node:test";
import { pathToFileURL } from "node:url";

const folder = `${pathToFileURL(String(process.env.WEB)).href}/domino_duell/static`;
const { PITCH, boundsOf, hollowAt, middleOf, nextHollow, shapeOf } = await import(
  `${folder}/model.mjs`);
const { STONES, drawn, pad, pieceName } = await import(`${folder}/sheets.mjs`);

const ROWS = [" o o", "o x o", " o o"];
const say = (code) => code;

test("every hollow is the nearest to its own middle, and nothing is far outside", () => {
  const shape = shapeOf(ROWS);
  assert.equal(shape.hollows.length, 7);
  for (const hollow of shape.hollows) assert.equal(hollowAt(shape, middleOf(hollow)), hollow);
  const { x, y } = boundsOf(shape);
  assert.equal(hollowAt(shape, [x - PITCH, y - PITCH]), null);
});

test("arrows go to neighbours and stop at the border", () => {
  const shape = shapeOf(ROWS);
  const middle = shape.byName.get("b2");
  assert.equal(nextHollow(shape, middle, "ArrowLeft"), "b1");
  assert.equal(nextHollow(shape, middle, "ArrowRight"), "b3");
  assert.equal(nextHollow(shape, middle, "ArrowUp"), "a2");
  assert.equal(nextHollow(shape, middle, "ArrowDown"), "c1");
  assert.equal(nextHollow(shape, shape.byName.get("b1"), "ArrowLeft"), "b1");
});

test("64 stones, each drawn otherwise, even where all colours are one", () => {
  assert.equal(new Set(STONES).size, 64);
  const bare = STONES.map((stone) => drawn(stone).replaceAll(/#[0-9a-f]{6}/g, "#"));
  // White and black symbols differ by light and dark alone, which everybody sees.
  assert.equal(new Set(bare).size, 48);
  assert.equal(new Set(STONES.map(drawn)).size, 64);
});

test("the pad has a key for each stone, and those that lie are off", () => {
  const markup = pad(say, new Set(["rcw", "ytk"]), new Set(["gsl"]));
  assert.equal(markup.match(/<button/g)?.length, 64);
  assert.equal(markup.match(/ disabled/g)?.length, 2);
  assert.equal(markup.match(/aria-pressed="true"/g)?.length, 1);
  assert.match(markup, /data-value="rcw"[^>]* disabled/);
});

test("a piece has a name for those who don't see it", () => {
  assert.equal(pieceName(say, "rcw"), "colour.r, symbol.c, ink.w");
  assert.equal(pieceName(say, "*"), "joker");
  assert.equal(pieceName(say, undefined), "empty");
});
