// @ts-check
/** Which part of a drawing is shown: fitted, zoomed and moved. Lengths of the stage in CSS px. */

/**
 * @typedef {{x: number, y: number, width: number, height: number}} Box
 * @typedef {[number, number]} Point x and y
 * @typedef {{width: number, height: number}} Size
 */

export const MIN_TARGET_PX = 44;
const MAX_ZOOM = 12;

/**
 * The box of the stage's shape that holds all of `content` in its middle.
 * @param {Box} content
 * @param {Size} stage
 * @returns {Box}
 */
export function fitted(content, stage) {
  const scale = Math.max(content.width / stage.width, content.height / stage.height);
  const [width, height] = [stage.width * scale, stage.height * scale];
  return {
    x: content.x + (content.width - width) / 2,
    y: content.y + (content.height - height) / 2,
    width,
    height,
  };
}

/**
 * The fitted box, nearer where squares of `square` units would be smaller than a finger.
 * @param {Box} content
 * @param {Size} stage
 * @param {number} square
 * @returns {Box}
 */
export function readable(content, stage, square) {
  const box = fitted(content, stage);
  const pixels = (square * stage.width) / box.width;
  if (pixels >= MIN_TARGET_PX) return box;
  const middle = /** @type {Point} */ ([box.x + box.width / 2, box.y + box.height / 2]);
  return zoomed(box, box, MIN_TARGET_PX / pixels, middle);
}

/**
 * Nearer by a factor, the point `at` staying where it is; never farther than `whole`.
 * @param {Box} box
 * @param {Box} whole
 * @param {number} factor
 * @param {Point} at
 * @returns {Box}
 */
export function zoomed(box, whole, factor, [x, y]) {
  const width = Math.min(whole.width, Math.max(whole.width / MAX_ZOOM, box.width / factor));
  const ratio = width / box.width;
  return clamped(
    {
      x: x - (x - box.x) * ratio,
      y: y - (y - box.y) * ratio,
      width,
      height: box.height * ratio,
    },
    whole,
  );
}

/**
 * @param {Box} box
 * @param {Box} whole
 * @param {number} dx
 * @param {number} dy
 * @returns {Box}
 */
export function panned(box, whole, dx, dy) {
  return clamped({ ...box, x: box.x - dx, y: box.y - dy }, whole);
}

/**
 * The box moved just as far that a box inside it is shown.
 * @param {Box} box
 * @param {Box} whole
 * @param {Box} inner
 * @returns {Box}
 */
export function showing(box, whole, inner) {
  const x = Math.min(Math.max(box.x, inner.x + inner.width - box.width), inner.x);
  const y = Math.min(Math.max(box.y, inner.y + inner.height - box.height), inner.y);
  return clamped({ ...box, x, y }, whole);
}

/**
 * @param {Box} box
 * @param {Box} whole
 * @returns {Box}
 */
function clamped(box, whole) {
  const x = Math.max(whole.x, Math.min(box.x, whole.x + whole.width - box.width));
  const y = Math.max(whole.y, Math.min(box.y, whole.y + whole.height - box.height));
  return { ...box, x, y };
}
