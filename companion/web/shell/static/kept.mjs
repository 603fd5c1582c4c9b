// @ts-check
/**
 * What is kept on the phone until the server has it: changes that wait, photos that wait, and the
 * pages as they were shown last. Where a browser keeps nothing, all works without it.
 *
 * Changes and pages are in the local storage, which answers at once: a board is drawn with them.
 */

import { drawer } from "./phone.mjs";

/**
 * @typedef {{of: string, module: string, style?: string, data: any}} KeptPart
 * @typedef {{at: number, parts: KeptPart[]}} KeptPage
 * @typedef {{key: string, at: number, page: string, to: string, photo: Blob}} KeptPhoto
 */

const CHANGE = "waiting ";
const PAGE = "page ";
const MOST_PAGES = 12;
/** A photo is of this evening, or of none. */
export const MAX_AGE_MS = 12 * 3600 * 1000;
/** A message that its page did not leave behind is still that page's own, unless it is this old. */
const ABANDONED_MS = 10_000;

/** @param {string} key @returns {any} */
function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** @param {string} key @param {unknown} value */
function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Nothing may be kept on this phone, or there is no room: what waits lives as long as its page.
  }
}

/** @param {string} key */
function erase(key) {
  try {
    localStorage.removeItem(key);
  } catch {
    // There is nothing.
  }
}

/** @returns {string[]} */
function keys() {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}

/**
 * Keeps a message until it is answered; ``left`` when its page goes away.
 * @param {string} of the part of a page
 * @param {object} message
 * @param {boolean} [left]
 */
export function keepChange(of, message, left = false) {
  write(CHANGE + of, { message, left, at: Date.now() });
}

/** @param {string} of */
export function forgetChange(of) {
  erase(CHANGE + of);
}

/**
 * The message that a page before this one has left behind; null where there is none.
 * @param {string} of
 * @returns {any}
 */
export function leftChange(of) {
  const kept = read(CHANGE + of);
  const waits = kept && (kept.left || Date.now() - kept.at > ABANDONED_MS);
  return waits ? kept.message ?? null : null;
}

/**
 * Keeps a page as it is shown; the oldest go.
 * @param {string} page its address from the question mark on
 * @param {KeptPart[]} parts
 */
export function keepPage(page, parts) {
  write(PAGE + page, { at: Date.now(), parts });
  const others = keys().filter((key) => key.startsWith(PAGE));
  if (others.length <= MOST_PAGES) return;
  const byAge = others.map((key) => ({ key, at: read(key)?.at ?? 0 })).sort((a, b) => a.at - b.at);
  for (const { key } of byAge.slice(0, -MOST_PAGES)) erase(key);
}

/**
 * @param {string} page
 * @returns {KeptPart[]}
 */
export function keptPage(page) {
  return read(PAGE + page)?.parts ?? [];
}

/** @type {ReturnType<typeof drawer<KeptPhoto>>} */
const photos = drawer("photos");

/**
 * Keeps a photo until it is sent; its key.
 * @param {Blob} photo
 * @param {string} to what it was taken for
 */
export async function keepPhoto(photo, to) {
  const at = Date.now();
  const key = `${at}-${Math.random().toString(36).slice(2)}`;
  await photos.put(key, { key, at, page: location.search, to, photo });
  return key;
}

/** @param {string} key */
export async function forgetPhoto(key) {
  await photos.remove(key);
}

/**
 * The photos that wait for this page; those of another evening go.
 * @returns {Promise<KeptPhoto[]>}
 */
export async function keptPhotos() {
  const all = await photos.all();
  const old = all.filter(({ at }) => Date.now() - at > MAX_AGE_MS);
  await Promise.all(old.map(({ key }) => forgetPhoto(key)));
  return all.filter((each) => each.page === location.search && !old.includes(each));
}
