// @ts-check
/** Where boards live on a page, and how Streamlit hands them data. */

import { startCorners } from "./actions.mjs";
import { numbered } from "./again.mjs";
import { Board } from "./board.mjs";
import { newClient } from "./sync.mjs";

/**
 * @typedef {import("./types.mjs").State} State
 * @typedef {import("./types.mjs").Change} Change
 * @typedef {import("./types.mjs").Dossier} Dossier
 * @typedef {{data: State, parentElement: HTMLElement | ShadowRoot,
 *   setStateValue: (name: string, value: unknown) => void}} Mounted what Streamlit hands over
 * @typedef {{board: Board | null, root: HTMLElement, mounted: Mounted, asked: number}} Place
 */

/** @type {Map<string, Dossier>} */
const dossiers = new Map();
/** @type {WeakMap<HTMLElement | ShadowRoot, Place>} */
const places = new WeakMap();

/**
 * Draws a board in an element of any page.
 * @param {HTMLElement | ShadowRoot} parent
 * @param {string} css
 * @param {State} state
 * @param {(change: Change) => void} send
 */
export function mount(parent, css, state, send) {
  const board = new Board(rootIn(parent, css), state, send, newClient());
  return board;
}

/**
 * Draws what Streamlit hands over, and every later state into the same board.
 * @param {Mounted} mounted
 * @param {string} css
 * @returns {() => void} takes the board away
 */
export function show(mounted, css) {
  const { data, parentElement } = mounted;
  if (data.dossier) dossiers.set(data.dossier.id, data.dossier);
  const dossier = dossiers.get(data.dossierId);
  let place = places.get(parentElement);
  if (!place) {
    place = { board: null, root: rootIn(parentElement, css), mounted, asked: 0 };
    places.set(parentElement, place);
  }
  place.mounted = mounted;
  const here = place;
  if (!dossier) {
    // The server thinks that this page has it already; after a reload it hasn't.
    here.asked += 1;
    mounted.setStateValue("change", { has: null, asked: here.asked });
  } else if (here.board) {
    here.board.receive({ ...data, dossier });
  } else {
    here.board = new Board(here.root, { ...data, dossier }, (change) => {
      here.mounted.setStateValue("change", numbered(change));
    }, newClient());
    if (data.setsCorners) startCorners(here.board);
  }
  return () => {
    here.board?.destroy();
    here.root.remove();
    places.delete(parentElement);
  };
}

/**
 * @param {HTMLElement | ShadowRoot} parent
 * @param {string} css
 */
function rootIn(parent, css) {
  const root = document.createElement("div");
  const style = document.createElement("style");
  style.textContent = css;
  root.className = "board-place";
  const inner = document.createElement("div");
  root.append(style, inner);
  parent.append(root);
  return inner;
}
