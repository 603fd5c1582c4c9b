// @ts-check
/** Keys: arrows, letters of the notation, digits, `!`, undo and redo. */

import * as model from "./model.mjs";

/**
 * @typedef {import("./types.mjs").Place} Place
 * @typedef {import("./board.mjs").Board} Board
 */

/** @type {Record<string, Place>} */
const ARROWS = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};
const CORNER_STEP_PX = 4;

/**
 * Moves a corner that has the focus; tells whether it did.
 * @param {Board} board
 * @param {KeyboardEvent} event
 */
export function cornerKey(board, event) {
  const index = /** @type {Element} */ (event.target).getAttribute("data-corner");
  const arrow = ARROWS[event.key];
  if (index === null || !arrow || !board.corners) return false;
  const step = CORNER_STEP_PX * board.stage.scale * (event.shiftKey ? 5 : 1);
  const [x, y] = board.corners.corners[Number(index)];
  board.corners.put(Number(index), [x + arrow[1] * step, y + arrow[0] * step]);
  board.render();
  return true;
}

/**
 * Does what a key says; tells whether it said anything.
 * @param {Board} board
 * @param {KeyboardEvent} event
 */
export function keyAction(board, event) {
  if (event.ctrlKey || event.metaKey) {
    const key = event.key.toLowerCase();
    if (key === "y" || (key === "z" && event.shiftKey)) board.redo();
    else if (key === "z") board.undo();
    else return false;
    return true;
  }
  if (event.key === "Escape") {
    board.close();
    board.stage.scene.focus(board.focused);
    return true;
  }
  const square = /** @type {HTMLElement} */ (event.target).closest("[data-place]");
  if (!square || event.altKey) return false;
  const place = board.focused;
  const arrow = ARROWS[event.key];
  if (arrow) {
    const next = /** @type {Place} */ ([place[0] + arrow[0], place[1] + arrow[1]]);
    if (!model.holds(board.snapshot, next)) return true;
    board.focused = next;
    if (board.selected) board.select(next);
    else board.stage.reveal(next);
    board.render();
    board.stage.scene.focus(next);
    return true;
  }
  if (event.key === "Enter" || event.key === " ") {
    /** @type {HTMLElement} */ (square).dispatchEvent(new MouseEvent("click", { bubbles: true }));
    return true;
  }
  const value = model.afterKey(board.cell(place), event.key);
  if (value === null) return false;
  board.act("set", model.withSquares(board.snapshot, [place], value), { squares: [place], value });
  return true;
}
