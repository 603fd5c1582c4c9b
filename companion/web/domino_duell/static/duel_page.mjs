// @ts-check
/** Where the board lives on a page, and how Streamlit hands it data. */

import { numbered } from "../../board/static/again.mjs";
import { DuelBoard } from "./duel.mjs";

/**
 * @typedef {import("./duel.mjs").State} State
 * @typedef {{data: State, parentElement: HTMLElement,
 *   setStateValue: (name: string, value: unknown) => void}} Mounted what Streamlit hands over
 * @typedef {{board: DuelBoard | null, root: HTMLElement, mounted: Mounted}} Place
 */

/** @type {WeakMap<HTMLElement, Place>} */
const places = new WeakMap();

/**
 * Draws what Streamlit hands over, and every later state into the same board.
 * @param {Mounted} mounted
 * @returns {() => void} takes the board away
 */
export function show(mounted) {
  const parent = mounted.parentElement;
  let place = places.get(parent);
  if (place?.board) {
    place.mounted = mounted;
    place.board.receive(mounted.data);
  } else {
    const root = parent.ownerDocument.createElement("div");
    root.className = "surface duel";
    parent.append(root);
    /** @type {Place} */
    const fresh = { board: null, root, mounted };
    places.set(parent, fresh);
    fresh.board = new DuelBoard(root, mounted.data, (message) => {
      fresh.mounted.setStateValue("change", numbered(message));
    });
    place = fresh;
  }
  const here = place;
  return () => {
    here.board?.destroy();
    here.root.remove();
    places.delete(parent);
  };
}

/** @param {string} css */
export function dress(css) {
  const name = "duel-style";
  const style = document.getElementById(name) ?? document.createElement("style");
  style.id = name;
  style.textContent = css;
  document.head.append(style);
}
