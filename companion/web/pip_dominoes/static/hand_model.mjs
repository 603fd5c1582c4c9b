// @ts-check
/** A hand in work: tiles or a number, what is in doubt, and what it costs. No page needed. */

import { formatTile, parseTile, sameTile, tileOf } from "./tiles.mjs";

/**
 * @typedef {import("./tiles.mjs").Tile} Tile
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

/** @param {Hand} hand */
export function pips({ tiles, counted }) {
  if (counted !== null) return counted;
  return tiles.reduce((sum, { tile }) => sum + tile.low + tile.high, 0);
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
