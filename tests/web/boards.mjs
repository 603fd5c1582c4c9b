// @ts-check
/** Boards for the tests: words, photos, states, and a board on a page without a browser. */

import { place, sized } from "./page.mjs";
import { Board } from "../../companion/web/kingdomino/static/board.mjs";

/** Every code is said as it is, with its fields. */
export const WORDS = new Proxy({}, {
  get: (_, code) => (typeof code === "string" ? WITH_FIELDS[code] ?? `‹${code}›` : undefined),
});
const WITH_FIELDS = {
  "square.place": "R{row} C{column}", "crowns.several": "{count} crowns", "giants.several": "{count} giants",
  "doubts.several": "{count} doubts", "squares.several": "{count} squares", "doubt.count": "{index} of {count}",
  "doubt.question": "{square}?", "doubt.rather": "rather {square}", "square.doubtful": "{square}, doubtful",
  "news.others.one": "1 squares set elsewhere", "news.undo": "undone {what}", "news.redo": "done again {what}",
  "points.live.several": "{count} points", "board.name": "board of {rows} by {columns}",
};
export const PHOTO = { url: "photo.jpg", width: 1600, height: 1200 };
/** Squares of 180 px from (350, 140) on. */
export const HOMOGRAPHY = [180, 0, 350, 0, 180, 140, 0, 0, 1];

/** @param {string} kingdom @param {number[][]} [doubts] */
export function readingOf(kingdom, doubts = [], runnerUp = "f1") {
  return {
    homography: HOMOGRAPHY,
    rows: kingdom.split("/").map((line, r) => line.split(" ").map((label, c) => ({
      label, runnerUp, doubtful: doubts.some(([y, x]) => y === r && x === c),
    }))),
  };
}

/** @param {string} kingdom @param {object} [more] */
export function stateOf(kingdom, { doubts, photo = Boolean(doubts), ...more } = /** @type {any} */ ({})) {
  const size = kingdom.split(/[/ ]/).length;
  const dossier = {
    id: "d1", words: WORDS, symbols: '<symbol id="crown"/>', photo: photo ? PHOTO : null, reading: doubts ? readingOf(kingdom, doubts) : null,
  };
  return {
    kingdom, settled: "0".repeat(size), frame: [0, 0, 0], revision: 4, dossierId: "d1", dossier,
    answers: null, score: null, notice: null, title: null, colour: null, ...more,
  };
}

/** A board of 300 by 300 px at (20, 100), and what it has sent. */
export async function boardOf(kingdom, more = {}) {
  const root = place();
  const sent = [];
  const state = stateOf(kingdom, more);
  // Sizes are there before the board asks for them, as on a page.
  const { prototype } = globalThis.HTMLElement;
  const size = { clientWidth: 300, clientHeight: 300 };
  for (const [name, value] of Object.entries(size))
    Object.defineProperty(prototype, name, { configurable: true, get() { return this.className?.includes?.("stage") ? value : 0; } });
  const board = new Board(root, /** @type {any} */ (state), (change) => sent.push(change));
  for (const name of Object.keys(size)) delete prototype[name];
  sized(board.stage.element, { x: 20, y: 100, width: 300, height: 300 });
  const answer = (change = sent.at(-1), given = {}) => board.receive(/** @type {any} */ ({
    ...state, dossier: undefined, kingdom: change.kingdom, settled: change.settled, frame: change.frame,
    revision: board.state.revision + 1, answers: { client: change.client, seq: change.seq }, ...given,
  }));
  const text = () => board.snapshot.rows.map((row) => row.join(" ")).join("/");
  const find = (selector) => root.querySelector(selector);
  const press = (action, value) => find(`[data-do="${action}"]${value === undefined ? "" : `[data-value="${value}"]`}`)
    .dispatchEvent(new globalThis.MouseEvent("click", { bubbles: true, detail: 0 }));
  const onSquare = (row, column) => find(`[data-place="${row},${column}"]`);
  /** Where a point of the board is on the screen. */
  const at = (row, column) => {
    const [x, y] = board.stage.view.toScreen(board.stage.scene.place([column + 0.5, row + 0.5]));
    return { clientX: 20 + x, clientY: 100 + y };
  };
  return { board, root, sent, state, answer, text, find, press, onSquare, at, kinds: () => sent.at(-1)?.done.map(({ kind }) => kind) };
}
