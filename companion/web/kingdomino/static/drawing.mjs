// @ts-check
/** Squares as drawings: whole tiles, chips on the photo, crops of the photo. */

import { cropTransform } from "./geometry.mjs";
import { parseSquare } from "./notation.mjs";

/**
 * @typedef {import("./types.mjs").Point} Point
 * @typedef {import("./types.mjs").Photo} Photo
 */

const CROWN_WIDTH = 28;
const CROWN_STEP = 30;
/** Where crowns begin on a tile of 100, so that no badge above covers them. */
export const CROWNS_TOP = 68;

/**
 * A square as a tile, 100 units wide and high.
 * @param {string} cell
 */
export function tile(cell) {
  const square = parseSquare(cell);
  if (square?.castle) return '<use href="#tile-c" width="100" height="100"/>';
  if (!square?.terrain) return '<rect class="empty" width="100" height="100"/>';
  return (
    `<use href="#tile-${square.terrain}" width="100" height="100"/>` +
    crowns(square.crowns, square.giants, 50, CROWNS_TOP)
  );
}

/**
 * Crowns in a row round `middle`, those under giants first.
 * @param {number} count
 * @param {number} giants
 * @param {number} middle
 * @param {number} top
 */
export function crowns(count, giants, middle, top) {
  const left = middle - (CROWN_STEP * (count - 1) + CROWN_WIDTH) / 2;
  return Array.from({ length: count }, (_, index) => {
    const name = index < giants ? "covered" : "crown";
    const x = left + CROWN_STEP * index;
    return `<use href="#${name}" class="crown" x="${x}" y="${top}" width="28" height="23.300"/>`;
  }).join("");
}

/**
 * What was read, as a small tile for the middle of a square of the photo, because the game prints
 * crowns near the edges; 100 units are the side of the square.
 * @param {string} cell
 * @param {{points?: number, doubtful?: boolean}} [marks] points of the territory, shown beside
 */
export function chip(cell, marks = {}) {
  const { points, doubtful } = marks;
  const square = parseSquare(cell);
  if (!square || (!square.castle && !square.terrain)) return doubtful ? query(50, 50) : "";
  const name = square.castle ? "c" : square.terrain;
  const count = square.crowns;
  const label = points === undefined ? "" : String(points);
  const beside = label ? 13 * label.length + 5 : 0;
  const [width, height] = [Math.max(38 + beside, 14 * count + 10), count ? 52 : 38];
  const [x, y] = [50 - width / 2, 50 - height / 2];
  const left = 50 - (32 + beside) / 2;
  const crownsLeft = 50 - 7 * count;
  const row = Array.from({ length: count }, (_, index) => {
    const sort = index < square.giants ? "covered" : "crown";
    return `<use href="#${sort}" x="${crownsLeft + 14 * index}" y="${y + 37}" width="14" height="12"/>`;
  });
  const part = square.castle ? "4 4 92 92" : "6 0 88 68";
  return (
    `<rect class="chip" x="${x}" y="${y}" width="${width}" height="${height}" rx="9"/>` +
    `<svg x="${left}" y="${y + 3}" width="32" height="32" viewBox="${part}">` +
    `<rect x="-20" y="-20" width="140" height="140" class="chip-ground-${name}"/>` +
    `<use href="#tile-${name}" width="100" height="100"/></svg>` +
    (label ? `<text class="worth" x="${left + 35}" y="${y + 27}">${label}</text>` : "") +
    row.join("") +
    (doubtful ? query(x - 3, y - 2) : "")
  );
}

/**
 * The sign of a doubt, round a point.
 * @param {number} x
 * @param {number} y
 */
export function query(x, y) {
  return (
    `<g class="query" transform="translate(${x} ${y})"><circle r="13"/>` +
    '<path d="M-4.500-3q0-4.500 4.500-4.500t4.500 4q0 2.800-4.500 4v2M0 7v.5"/></g>'
  );
}

/**
 * The photo turned so that a square of it fills 100 units; to be clipped there.
 * @param {Photo} photo
 * @param {Point[]} corners of the square: top left, top right, bottom right, bottom left
 */
export function crop(photo, [topLeft, topRight, , bottomLeft]) {
  const map = cropTransform([topLeft, topRight, bottomLeft], 100).map((value) => value.toFixed(5));
  return (
    `<image href="${escaped(photo.url)}" width="${photo.width}" height="${photo.height}" ` +
    `transform="matrix(${map.join(" ")})" preserveAspectRatio="none"/>`
  );
}

/** @param {string} text */
export function escaped(text) {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

/**
 * A drawing of 100 units as an `<svg>` for buttons.
 * @param {string} cell
 * @param {string} [name] of the class
 */
export function picture(cell, name = "picture") {
  return `<svg class="${name}" viewBox="0 0 100 100" aria-hidden="true">${tile(cell)}</svg>`;
}
