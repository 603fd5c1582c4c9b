// @ts-check
/**
 * Dominoes and hands: their text, their pips, what is in doubt, and what they cost. No page needed.
 */

/**
 * @typedef {{low: number, high: number}} Tile
 */

const [L, C, R] = [1, 2, 4];
const SIDES = L | R;
const ALL = L | C | R;

/** Rows of pips from the top, each a sum of left, centre and right. */
export const PIPS = [
  [],
  [0, C, 0],
  [R, 0, L],
  [R, C, L],
  [SIDES, 0, SIDES],
  [SIDES, C, SIDES],
  [SIDES, SIDES, SIDES],
  [SIDES, ALL, SIDES],
  [ALL, SIDES, ALL],
  [ALL, ALL, ALL],
  [ALL, SIDES, SIDES, ALL],
  [ALL, SIDES, C, SIDES, ALL],
  [ALL, ALL, ALL, ALL],
  [ALL, SIDES, ALL, SIDES, ALL],
  [ALL, ALL, SIDES, ALL, ALL],
  [ALL, ALL, ALL, ALL, ALL],
  [ALL, SIDES, ALL, ALL, SIDES, ALL],
  [ALL, ALL, SIDES, C, SIDES, ALL, ALL],
  [ALL, ALL, ALL, ALL, ALL, ALL],
];

/** @param {string} text @returns {Tile} */
export function parseTile(text) {
  const [low, high] = text.split("|").map(Number);
  return tileOf(low, high);
}

/** @param {number} one @param {number} other @returns {Tile} */
export function tileOf(one, other) {
  return { low: Math.min(one, other), high: Math.max(one, other) };
}

/** @param {Tile} tile */
export function formatTile({ low, high }) {
  return `${low}|${high}`;
}

/**
 * How people say it.
 * @param {Tile} tile
 */
export function nameOf({ low, high }) {
  return `${low}-${high}`;
}

/** @param {Tile} a @param {Tile} b */
export function sameTile(a, b) {
  return a.low === b.low && a.high === b.high;
}

/**
 * The pips of a half in a square of 36 units, its corner at (x, 0).
 * @param {number} number
 * @param {number} x
 */
export function half(number, x) {
  const rows = PIPS[number] ?? [];
  const radius = rows.length > 5 ? 2.2 : rows.length > 3 ? 2.7 : 3.5;
  return rows
    .map((row, index) => {
      const y = rows.length === 1 ? 18 : 6.5 + (23 * index) / (rows.length - 1);
      return [L, C, R]
        .map((bit, column) =>
          row & bit ? `<circle cx="${x + 8 + 10 * column}" cy="${y.toFixed(1)}" r="${radius}"/>` : "",
        )
        .join("");
    })
    .join("");
}

/**
 * A domino lying down, 74×38 units; nothing in it for screen readers.
 * @param {Tile} tile
 */
export function drawTile({ low, high }) {
  return (
    '<svg class="tile" viewBox="0 0 74 38" aria-hidden="true" focusable="false">' +
    '<rect class="face" x="1" y="1" width="72" height="36" rx="5"/>' +
    '<path class="bar" d="M37 6v26"/>' +
    `<g class="pips">${half(low, 1)}${half(high, 37)}</g></svg>`
  );
}

/**
 * @typedef {{tile: Tile, place: number | null, doubtful: boolean}} Kept
 * @typedef {{tiles: Kept[], counted: number | null, blank: boolean, incomplete: boolean}} Hand
 * @typedef {{tiles?: string, places?: (number | null)[], doubtful?: number[], counted?: number,
 *   double_blank?: boolean,
 *   incomplete?: boolean}} HandData as the store keeps it
 */

export const MAX_COUNTED = 9999;
export const BLANK_POINTS = 50;

/** @type {Hand} */
export const EMPTY = { tiles: [], counted: null, blank: false, incomplete: false };

/** @param {HandData | null} data @returns {Hand} */
export function handOf(data) {
  if (!data) return EMPTY;
  if (data.counted !== undefined)
    return { ...EMPTY, counted: data.counted, blank: data.double_blank ?? false };
  const tiles = (data.tiles ?? "").split(" ").filter(Boolean).map((text, number) => ({
    tile: parseTile(text),
    place: data.places?.[number] ?? null,
    doubtful: data.doubtful?.includes(number) ?? false,
  }));
  return { ...EMPTY, tiles, incomplete: data.incomplete ?? false };
}

/** @param {Hand} hand @returns {HandData} */
export function dataOf({ tiles, counted, blank, incomplete }) {
  if (counted !== null) return { counted, double_blank: blank };
  /** @type {HandData} */
  const data = { tiles: tiles.map(({ tile }) => formatTile(tile)).join(" ") };
  if (tiles.some(({ place }) => place !== null)) data.places = tiles.map(({ place }) => place);
  const doubtful = tiles.flatMap((each, number) => (each.doubtful ? [number] : []));
  if (doubtful.length) data.doubtful = doubtful;
  if (incomplete) data.incomplete = true;
  return data;
}

/**
 * Which tiles are still to be checked: doubtful ones, and any that are there twice.
 * @param {Hand} hand
 */
export function doubts({ tiles }) {
  return tiles.flatMap((each, number) => (each.doubtful || isTwice(tiles, each) ? [number] : []));
}

/** @param {Kept[]} tiles @param {Kept} kept */
export function isTwice(tiles, kept) {
  return tiles.filter(({ tile }) => sameTile(tile, kept.tile)).length > 1;
}

/**
 * A tile that is there twice counts once, as in the rules.
 * @param {Hand} hand
 */
export function pips({ tiles, counted }) {
  if (counted !== null) return counted;
  const each = new Map(tiles.map(({ tile }) => [formatTile(tile), tile.low + tile.high]));
  return [...each.values()].reduce((sum, worth) => sum + worth, 0);
}

/** @param {Hand} hand */
export function hasBlank({ tiles, counted, blank }) {
  return counted !== null ? blank : tiles.some(({ tile }) => tile.high === 0);
}

/**
 * @param {Hand} hand
 * @param {boolean} costs whether the double blank costs its 50 points in this round
 */
export function points(hand, costs) {
  return pips(hand) + (hasBlank(hand) && (costs || hand.counted !== null) ? BLANK_POINTS : 0);
}

/**
 * The tile set anew by a person, who is sure.
 * @param {Hand} hand
 * @param {number} number
 * @param {Tile} tile
 * @returns {Hand}
 */
export function withTile(hand, number, tile) {
  const tiles = hand.tiles.map((each, index) =>
    index === number ? { ...each, tile, doubtful: false } : each,
  );
  return { ...hand, tiles };
}

/**
 * One half set anew; ``which`` is 0 for the lower one. A doubt about the tile is settled.
 * @param {Hand} hand
 * @param {number} number
 * @param {0 | 1} which
 * @param {number} value
 */
export function withHalf(hand, number, which, value) {
  const { low, high } = hand.tiles[number].tile;
  return withTile(hand, number, which === 0 ? tileOf(value, high) : tileOf(low, value));
}

/** @param {Hand} hand @param {number} number */
export function confirmed(hand, number) {
  return withTile(hand, number, hand.tiles[number].tile);
}

/** @param {Hand} hand @param {number} number @returns {Hand} */
export function without(hand, number) {
  return { ...hand, tiles: hand.tiles.filter((_, index) => index !== number) };
}

/**
 * Puts a tile into the hand, or takes it out again.
 * @param {Hand} hand
 * @param {Tile} tile
 * @returns {Hand}
 */
export function toggled(hand, tile) {
  const number = hand.tiles.findIndex((each) => sameTile(each.tile, tile));
  if (number >= 0) return without(hand, number);
  const tiles = [...hand.tiles, { tile, place: null, doubtful: false }];
  return { ...EMPTY, tiles, incomplete: hand.incomplete };
}

/**
 * A number counted in place of tiles.
 * @param {number} counted
 * @param {boolean} blank
 * @returns {Hand}
 */
export function countedHand(counted, blank) {
  return { ...EMPTY, counted: Math.min(counted, MAX_COUNTED), blank };
}

const DIVISOR = 5;

/**
 * Their total where five divides it.
 * @param {number[]} values
 */
export function endsPoints(values) {
  const total = values.reduce((sum, each) => sum + each, 0);
  return total % DIVISOR ? 0 : total;
}
