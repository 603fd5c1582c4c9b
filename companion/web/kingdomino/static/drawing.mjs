// @ts-check
/**
 * Squares as drawings and in words. Tiles and crowns are symbols that stand on the page once
 * (`companion/games/kingdomino/terrain_art.py`).
 */

import { quoted, say, sayCount } from "../../shell/static/markup.mjs";
import { cropTransform } from "./geometry.mjs";
import { parseSquare, pieceParts } from "./kingdom.mjs";

/**
 * @typedef {import("./messages.mjs").Photo} Photo
 * @typedef {import("./messages.mjs").Place} Place
 * @typedef {import("./messages.mjs").Point} Point
 * @typedef {import("./messages.mjs").Words} Words
 */

/** Signs of 24 by 24, drawn in lines of the colour of the text. */
const SIGNS = {
  undo: '<path d="M9 5L4 10l5 5M4 10h10a6 6 0 010 12h-3"/>',
  redo: '<path d="M15 5l5 5-5 5M20 10H10a6 6 0 000 12h3"/>',
  brush: '<path d="M14 5l5 5-8 8-5-5zM6 13c-3 1-2 5-4 7 4 1 8 0 9-2"/>',
  photo: '<path d="M3 8h4l2-3h6l2 3h4v12H3z"/><circle cx="12" cy="13.500" r="3.500"/>',
  plan: '<path d="M4 4h16v16H4zM4 9.300h16M4 14.600h16M9.300 4v16M14.600 4v16"/>',
  crops: '<path d="M4 4h16v16H4zM12 4v16M4 12h16M14.500 9l2-2.500 2 2.500M5.500 19l2-3 2 3"/>',
  more: '<path d="M5 8h14M5 16h14"/><circle cx="9" cy="8" r="2.500"/><circle cx="15" cy="16" r="2.500"/>',
  close: '<path d="M6 6l12 12M18 6L6 18"/>',
  check: '<path d="M4 13l5 5L20 6"/>',
  doubt: '<circle cx="11" cy="11" r="7"/><path d="M16 16l5 5"/>',
  next: '<path d="M9 5l7 7-7 7"/>',
  back: '<path d="M15 5l-7 7 7 7"/>',
  plus: '<path d="M12 5v14M5 12h14"/>',
  minus: '<path d="M5 12h14"/>',
  turn: '<path d="M19 8a8 8 0 10.800 7M20 3v6h-6"/>',
  up: '<path d="M12 20V5M6 11l6-6 6 6"/>',
  right: '<path d="M4 12h15M13 6l6 6-6 6"/>',
  down: '<path d="M12 4v15M6 13l6 6 6-6"/>',
  left: '<path d="M20 12H5M11 6l-6 6 6 6"/>',
  corners: '<path d="M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5"/>',
  clear: '<path d="M5 7h14M10 4h4M7 7l1 13h8l1-13M10.500 11v5M13.500 11v5"/>',
  fit: '<path d="M9 4v5H4M15 4v5h5M9 20v-5H4M15 20v-5h5"/>',
  waiting: '<path d="M12 6v6l4 3"/><circle cx="12" cy="12" r="9"/>',
};

/** @param {string} name */
export function sign(name) {
  const shapes = /** @type {Record<string, string>} */ (SIGNS)[name];
  return `<svg class="sign" viewBox="0 0 24 24" aria-hidden="true">${shapes}</svg>`;
}

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
    crowns(square.crowns, square.giants, 50, CROWNS_TOP) +
    pieceMark(square, 50, 79, 1.5)
  );
}

/** Signs of 24 by 24 for the characters of The Court. */
const CHARACTER_SIGNS = /** @type {Record<string, string>} */ ({
  farmer: "M12 21V4M12 11L8 7M12 11l4-4M12 16l-4-4M12 16l4-4",
  lumberjack: "M12 3l6 10H6zM12 13v8",
  fisherman: "M3 12q7-7 13 0q-6 7-13 0M16 12l5-4v8z",
  shepherdess: "M9 21V8a4 4 0 018 0v2",
  banker: "M12 4a8 8 0 100 16a8 8 0 100-16M12 8v8",
  queen: "M5 17L4 7l5 4 3-7 3 7 5-4-1 10zM5 20h14",
  king: "M5 19V9l4 4 3-5 3 5 4-4v10zM12 2v5M10 4h4",
  captain: "M12 3l2.700 5.700 6.300.800-4.600 4.300 1.200 6.200-5.600-3.100-5.600 3.100 1.200-6.200L3 9.500l6.300-.800z",
  "axe-warrior": "M7 21L16 5M13 4q7 0 8 8l-8-3z",
  "sword-warrior": "M5 19L19 5M4 14l6 6",
  "light-archer": "M8 3q11 9 0 18M8 3v18M4 12h16M17 9l3 3-3 3",
  "heavy-archer": "M8 3q11 9 0 18M8 3v18M4 9h15M4 15h15",
});

/**
 * What lies on a square of The Court, round a point; nothing where nothing lies.
 * @param {import("./messages.mjs").Square} square
 * @param {number} x
 * @param {number} y
 * @param {number} scale of a drawing 24 wide and high
 */
export function pieceMark({ terrain, piece }, x, y, scale) {
  if (!piece) return "";
  const { character, crowns: count } = pieceParts(piece);
  const inside = character
    ? `<circle class="badge" r="12"/><path class="figure" transform="scale(.75)translate(-12 -12)" d="${CHARACTER_SIGNS[character]}"/>`
    : count
      ? `<path class="badge" d="M-12 12V-3L0-12L12-3V12z"/>` +
        Array.from({ length: count }, (_, index) =>
          `<use href="#crown" x="${11 * index - 5.5 * count}" y="-2" width="11" height="9.200"/>`,
        ).join("")
      : `<circle class="badge" r="12"/><svg x="-8" y="-8" width="16" height="16" viewBox="0 0 100 100">` +
        `<use href="#tile-${terrain}" width="100" height="100"/></svg>`;
  return `<g class="piece" transform="translate(${x} ${y}) scale(${scale})">${inside}</g>`;
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
  const [width, height] = [Math.max(38 + beside, 14 * count + 10), count || square.piece ? 52 : 38];
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
    `<rect x="-20" y="-20" width="140" height="140" class="ground-${name}"/>` +
    `<use href="#tile-${name}" width="100" height="100"/></svg>` +
    (label ? `<text class="worth" aria-hidden="true" x="${left + 35}" y="${y + 27}">${label}</text>` : "") +
    row.join("") +
    pieceMark(square, 50, y + 42, 0.75) +
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
    `<image href="${quoted(photo.url)}" width="${photo.width}" height="${photo.height}" ` +
    `transform="matrix(${map.join(" ")})" preserveAspectRatio="none"/>`
  );
}

/**
 * A drawing of 100 units as an `<svg>` for buttons.
 * @param {string} cell
 * @param {string} [name] of the class
 */
export function picture(cell, name = "picture") {
  return `<svg class="${name}" viewBox="0 0 100 100" aria-hidden="true">${tile(cell)}</svg>`;
}

/**
 * A square in words: "Forest, 2 crowns, 1 giant".
 * @param {Words} words
 * @param {string} cell
 */
export function squareName(words, cell) {
  const square = parseSquare(cell);
  if (!square) return say(words, "square.foreign");
  if (square.castle) return say(words, "square.castle");
  if (!square.terrain) return say(words, "square.empty");
  const parts = [say(words, `terrain.${square.terrain}`)];
  if (square.crowns) parts.push(sayCount(words, "crowns", square.crowns));
  if (square.giants) parts.push(sayCount(words, "giants", square.giants));
  if (square.piece) parts.push(...pieceNames(words, square.terrain, square.piece));
  return parts.join(", ");
}

/**
 * A piece of The Court in words: "Queen", "7 points by hand".
 * @param {Words} words
 * @param {string} terrain
 * @param {string} piece
 */
export function pieceNames(words, terrain, piece) {
  const { character, byHand, crowns: count } = pieceParts(piece);
  if (count) return [sayCount(words, "building", count)];
  if (!character) return [say(words, `token.${terrain}`)];
  const name = say(words, `character.${character}`);
  return byHand === null ? [name] : [name, sayCount(words, "by_hand", byHand)];
}

/**
 * @param {Words} words
 * @param {Place} place
 */
export function placeName(words, [row, column]) {
  return say(words, "square.place", { row: row + 1, column: column + 1 });
}
