// @ts-check
import assert from "node:assert/strict";
import test from "node:test";

import { load } from "./load.mjs";

const { boxAround, cropTransform, homographyOf, inverse, isConvex, outlinesOf, project } =
  await load("geometry");
const { MIN_TARGET_PX, fitted, panned, readable, showing, zoomed } = await load("../../shell/static/window");

const CORNERS = [[100, 50], [900, 120], [870, 700], [60, 640]];
const near = (a, b) => a.forEach((value, index) => assert.ok(Math.abs(value - b[index]) < 1e-6));

test("a homography takes corners to corners and back", () => {
  const h = homographyOf(5, 4, CORNERS);
  const lattice = [[0, 0], [5, 0], [5, 4], [0, 4]];
  lattice.forEach((point, index) => near(project(h, point), CORNERS[index]));
  for (const point of [[2.5, 1.5], [0.1, 3.9]]) near(project(inverse(h), project(h, point)), point);
});

test("only convex corners clockwise are a frame", () => {
  assert.equal(isConvex(CORNERS), true);
  assert.equal(isConvex([...CORNERS].reverse()), false);
  assert.equal(isConvex([CORNERS[0], CORNERS[2], CORNERS[1], CORNERS[3]]), false);
  assert.equal(isConvex([[0, 0], [10, 0], [20, 0], [0, 10]]), false);
});

test("outlines go round a group once, holes too", () => {
  assert.equal(outlinesOf([[0, 0]])[0].length, 4);
  assert.equal(outlinesOf([[0, 0], [0, 1]]).length, 1);
  const ring = [[0, 0], [0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1], [2, 2]];
  assert.equal(outlinesOf(ring).length, 2);
  assert.equal(outlinesOf([[0, 0], [1, 1]]).flat().length, 8);
});

test("a crop takes the corners of a square to its own", () => {
  const [a, b, c, d, e, f] = cropTransform([[10, 20], [30, 24], [6, 40]], 100);
  const take = ([x, y]) => [a * x + c * y + e, b * x + d * y + f];
  near(take([10, 20]), [0, 0]);
  near(take([30, 24]), [100, 0]);
  near(take([6, 40]), [0, 100]);
});

test("a fitted view holds everything in the shape of the stage", () => {
  const box = fitted({ x: 10, y: 20, width: 100, height: 50 }, { width: 300, height: 300 });
  assert.deepEqual(box, { x: 10, y: -5, width: 100, height: 100 });
});

test("small squares are shown as large as a finger", () => {
  const stage = { width: 350, height: 350 };
  const content = { x: 0, y: 0, width: 900, height: 900 };
  const box = readable(content, stage, 100);
  assert.ok((100 * stage.width) / box.width >= MIN_TARGET_PX - 1e-9);
  assert.deepEqual(readable(content, stage, 130), fitted(content, stage));
});

test("zoom keeps the point under the fingers and stays inside", () => {
  const whole = { x: 0, y: 0, width: 100, height: 100 };
  const box = zoomed(whole, whole, 2, [30, 60]);
  assert.deepEqual(box, { x: 15, y: 30, width: 50, height: 50 });
  assert.deepEqual(zoomed(box, whole, 0.1, [30, 60]), whole);
  assert.deepEqual(panned(box, whole, 999, 0), { ...box, x: 0 });
  assert.deepEqual(showing(box, whole, { x: 90, y: 90, width: 10, height: 10 }).x, 50);
});

test("a box goes round its points", () => {
  assert.deepEqual(boxAround([[3, 4], [1, 9]]), { x: 1, y: 4, width: 2, height: 5 });
});
