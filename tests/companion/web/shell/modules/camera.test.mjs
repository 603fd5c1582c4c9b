import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const at = (name) => pathToFileURL(path.join(process.env.WEB, "shell/static", `${name}.mjs`)).href;
const { HOLD_MS, Steady, greys, movement, sharpness, staysPut } = await import(at("camera"));

const SIDE = 32;
const FRAME = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]];

/** A chequered picture, its squares so wide; blurred ones change slowly. */
function picture(square, shift = 0) {
  return Uint8Array.from({ length: SIDE * SIDE }, (_, i) => {
    const x = (i % SIDE) + shift;
    const y = Math.floor(i / SIDE);
    return (Math.floor(x / square) + Math.floor(y / square)) % 2 ? 200 : 50;
  });
}

function blurred(grey) {
  return grey.map((_, i) => {
    const around = [-SIDE - 1, -SIDE, -SIDE + 1, -1, 0, 1, SIDE - 1, SIDE, SIDE + 1];
    return around.reduce((sum, step) => sum + (grey[i + step] ?? grey[i]), 0) / 9;
  });
}

test("grey values weigh green most", () => {
  const [red, green, blue] = greys(
    new Uint8ClampedArray([255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255]),
  );
  assert.ok(green > red && red > blue);
});

test("movement is the mean change", () => {
  assert.equal(movement(new Uint8Array([1, 5]), new Uint8Array([3, 5])), 1);
});

test("a blurred picture is less sharp, a darker one is not", () => {
  const clear = picture(4);
  assert.ok(sharpness(blurred(clear), SIDE) < 0.5 * sharpness(clear, SIDE));
  const dark = clear.map((value) => value / 2);
  assert.ok(Math.abs(sharpness(dark, SIDE) / sharpness(clear, SIDE) - 1) < 0.05);
});

test("frames stay put when none wanders far", () => {
  const near = FRAME.map(([x, y]) => [x + 0.01, y]);
  const far = FRAME.map(([x, y]) => [x + 0.1, y]);
  assert.ok(staysPut([FRAME], [near]));
  assert.ok(!staysPut([FRAME], [far]));
  assert.ok(!staysPut([FRAME], [near, far]));
  assert.ok(!staysPut([], []));
});

/** The last judgement of many looks, one every 100 ms. */
function judged(view, { outlines = [FRAME], middle = () => picture(4), looks = 20 } = {}) {
  const steady = new Steady();
  let last;
  for (let i = 0; i < looks; i += 1) {
    if (i % 3 === 0) steady.found(typeof outlines === "function" ? outlines(i) : outlines);
    last = steady.look(view(i), middle(i), SIDE, 100 * i);
  }
  return last;
}

test("what is still, sharp and found is taken after a moment", () => {
  const early = judged(() => picture(8), { looks: 6 });
  assert.ok(early.held < 1);
  const late = judged(() => picture(8), { looks: 6 + Math.ceil(HOLD_MS / 100) });
  assert.deepEqual(late, { still: true, sharp: true, found: true, held: 1 });
});

test("nothing is taken while it moves, is blurred, or shows nothing", () => {
  assert.equal(judged((i) => picture(8, i)).held, 0);
  const focusing = (i) => (i < 10 ? picture(4) : blurred(picture(4)));
  const unsharp = judged(() => picture(8), { middle: focusing });
  assert.deepEqual([unsharp.sharp, unsharp.held], [false, 0]);
  assert.equal(judged(() => picture(8), { outlines: [] }).held, 0);
  const wandering = (i) => [FRAME.map(([x, y]) => [x + 0.02 * i, y])];
  assert.equal(judged(() => picture(8), { outlines: wandering }).held, 0);
});
