// @ts-check
/** Where the pieces live on a page, and how Streamlit hands them data. */

import { ClockPiece } from "./clock_piece.mjs";
import { HandPiece } from "./hand_piece.mjs";
import { KeypadPiece } from "./keypad_piece.mjs";

/**
 * @typedef {{data: any, parentElement: HTMLElement,
 *   setStateValue: (name: string, value: unknown) => void}} Mounted what Streamlit hands over
 * @typedef {{piece: any, root: HTMLElement, mounted: Mounted, of: string}} Place
 */

/** @type {Record<string, new (root: HTMLElement, data: any, send: (m: object) => void) => any>} */
const PIECES = { clock: ClockPiece, hand: HandPiece, keypad: KeypadPiece };

/** @type {WeakMap<HTMLElement, Place>} */
const places = new WeakMap();
/** @type {Place | null} The page has one piece; what Streamlit has not cleared away yet is not shown. */
let shown = null;

/**
 * Draws what Streamlit hands over, and every later state into the same piece.
 * @param {Mounted} mounted
 * @returns {() => void} takes the piece away
 */
export function show(mounted) {
  const { data, parentElement: parent } = mounted;
  let place = places.get(parent);
  if (place && place.of !== data.of) {
    place.piece.destroy();
    place.root.remove();
    place = undefined;
  }
  if (place) {
    place.mounted = mounted;
    place.piece.receive(data);
  } else {
    const root = parent.ownerDocument.createElement("div");
    root.className = "surface piece";
    parent.append(root);
    /** @type {Place} */
    const fresh = { piece: null, root, mounted, of: data.of };
    places.set(parent, fresh);
    fresh.piece = new PIECES[data.piece](root, data, (message) => {
      fresh.mounted.setStateValue("change", message);
    });
    fresh.piece.draw();
    place = fresh;
  }
  const here = place;
  if (shown && shown !== here) shown.root.remove();
  shown = here;
  if (!here.root.isConnected) parent.append(here.root);
  return () => {
    if (shown === here) shown = null;
    here.piece.destroy();
    here.root.remove();
    places.delete(parent);
  };
}

/** @param {string} css */
export function dress(css) {
  const name = "domino-style";
  const style = document.getElementById(name) ?? document.createElement("style");
  style.id = name;
  if (style.textContent !== css) style.textContent = css;
  document.head.append(style);
}
