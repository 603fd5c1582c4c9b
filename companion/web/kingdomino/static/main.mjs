// @ts-check
/** The board as a part of a page: what changes rarely is sent once, and kept for all boards. */

import { newClient } from "../../shell/static/sync.mjs";
import { startCorners } from "./actions.mjs";
import { Board } from "./board.mjs";

/**
 * @typedef {import("./types.mjs").State} State
 * @typedef {import("./types.mjs").Dossier} Dossier
 */

/** @type {Map<string, Dossier>} */
const dossiers = new Map();

/**
 * @param {HTMLElement} root
 * @param {State} data
 * @param {import("../../shell/static/mount.mjs").Send} send
 */
export function mount(root, data, send) {
  root.className = "board-place";
  const inner = root.appendChild(document.createElement("div"));
  /** @type {Board | null} */
  let board = null;
  const receive = (/** @type {State} */ state) => {
    if (state.dossier) dossiers.set(state.dossier.id, state.dossier);
    const dossier = dossiers.get(state.dossierId);
    if (!dossier) {
      // The server thinks that this page has it already; after a reload it hasn't.
      send({ has: null });
    } else if (board) {
      board.receive({ ...state, dossier });
    } else {
      board = new Board(inner, { ...state, dossier }, send, newClient());
      if (state.setsCorners) startCorners(board);
    }
  };
  receive(data);
  return { receive, destroy: () => board?.destroy() };
}
