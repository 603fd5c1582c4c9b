// @ts-check
/**
 * When a picture is worth taking: still, sharp, and with something found in it that stays where it
 * is. No page needed.
 */

/**
 * @typedef {[number, number][]} Outline corners as shares of the sides of the picture
 * @typedef {{still: boolean, sharp: boolean, found: boolean, held: number}} Judgement
 *   ``held`` grows from 0 to 1, at which the picture is taken
 */

/** The mean change of grey values, of 255, from which on the phone moves. */
export const MAX_MOVEMENT = 4;
/** The share of the best sharpness seen lately that counts as sharp. */
export const MIN_SHARPNESS = 0.7;
/** How far, as a share of the picture, a corner may wander between two looks. */
export const MAX_WANDERING = 0.03;
export const HOLD_MS = 900;
/** The best sharpness is forgotten by half in this time, so that another place can be sharp too. */
export const FORGET_MS = 4000;

/**
 * Grey values of RGBA pixels.
 * @param {Uint8ClampedArray} pixels
 */
export function greys(pixels) {
  const grey = new Uint8Array(pixels.length / 4);
  for (let i = 0; i < grey.length; i += 1) {
    const at = 4 * i;
    grey[i] = (77 * pixels[at] + 150 * pixels[at + 1] + 29 * pixels[at + 2]) >> 8;
  }
  return grey;
}

/**
 * The mean difference of two pictures of the same size.
 * @param {Uint8Array} before
 * @param {Uint8Array} now
 */
export function movement(before, now) {
  let sum = 0;
  for (let i = 0; i < now.length; i += 1) sum += Math.abs(now[i] - before[i]);
  return now.length ? sum / now.length : 0;
}

/**
 * How much of the contrast of a picture lies in its finest details.
 * @param {Uint8Array} grey
 * @param {number} width
 */
export function sharpness(grey, width) {
  const height = Math.floor(grey.length / width);
  let fine = 0;
  let sum = 0;
  let squares = 0;
  for (let y = 1; y < height - 1; y += 1)
    for (let x = 1; x < width - 1; x += 1) {
      const i = y * width + x;
      const bend = 4 * grey[i] - grey[i - 1] - grey[i + 1] - grey[i - width] - grey[i + width];
      fine += bend * bend;
      sum += grey[i];
      squares += grey[i] * grey[i];
    }
  const n = Math.max(1, (width - 2) * (height - 2));
  const contrast = squares / n - (sum / n) ** 2;
  return contrast < 1 ? 0 : fine / n / contrast;
}

/**
 * Whether the same frames were found in two looks.
 * @param {Outline[]} before
 * @param {Outline[]} now
 */
export function staysPut(before, now) {
  if (!now.length || before.length !== now.length) return false;
  return now.every((outline, number) =>
    outline.every(([x, y], corner) => {
      const old = before[number][corner];
      return Math.hypot(x - old[0], y - old[1]) <= MAX_WANDERING;
    }),
  );
}

/** Watches the pictures of a camera, one after the other. */
export class Steady {
  constructor() {
    /** @type {Uint8Array | null} */
    this.before = null;
    /** @type {Outline[]} */
    this.outlines = [];
    this.placed = false;
    this.best = 0;
    this.since = -1;
    this.last = 0;
  }

  /**
   * What was found in a picture of just now.
   * @param {Outline[]} outlines
   */
  found(outlines) {
    this.placed = staysPut(this.outlines, outlines);
    this.outlines = outlines;
  }

  /**
   * A picture of the whole view and one of its middle, in grey, at a time in milliseconds.
   * @param {Uint8Array} view
   * @param {Uint8Array} middle
   * @param {number} middleWidth
   * @param {number} now
   * @returns {Judgement}
   */
  look(view, middle, middleWidth, now) {
    const still = this.before !== null && movement(this.before, view) <= MAX_MOVEMENT;
    this.before = view;
    const fine = sharpness(middle, middleWidth);
    this.best = Math.max(fine, this.best * 0.5 ** ((now - this.last) / FORGET_MS));
    this.last = now;
    const sharp = fine > 0 && fine >= MIN_SHARPNESS * this.best;
    const found = this.outlines.length > 0;
    if (!still || !sharp || !this.placed) this.since = -1;
    else if (this.since < 0) this.since = now;
    const held = this.since < 0 ? 0 : Math.min(1, (now - this.since) / HOLD_MS);
    return { still, sharp, found, held };
  }
}
