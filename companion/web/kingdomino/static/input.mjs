// @ts-check
/** Clicks, keys and focus, handed on to what they mean. */

import { perform } from "./actions.mjs";
import { cornerKey, keyAction } from "./keyboard.mjs";
import * as model from "./model.mjs";
import { listenToPresses } from "../../shell/static/presses.mjs";

/**
 * @typedef {import("./board.mjs").Board} Board
 * @typedef {import("./types.mjs").Place} Place
 */

/** @param {Board} board */
export function listenTo(board) {
  listenToPresses(board.root, (button) => press(board, button), (event) => click(board, event));
  board.root.addEventListener("keydown", (event) => key(board, event));
  board.root.addEventListener("focusin", (event) => focus(board, event));
}

/**
 * @param {Board} board
 * @param {Element} button
 */
function press(board, button) {
  perform(board, button.getAttribute("data-do") ?? "", button.getAttribute("data-value") ?? "");
}

/**
 * @param {Board} board
 * @param {Event} event
 */
function click(board, event) {
  const target = /** @type {Element} */ (event.target);
  const pressed = target.closest("[data-do]");
  if (pressed) {
    press(board, pressed);
    return;
  }
  // A screen reader clicks without a finger on the stage; fingers end at the stage itself.
  const square = target.closest("[data-place]");
  if (square) activate(board, /** @type {HTMLElement} */ (square).dataset.place ?? "");
}

/**
 * @param {Board} board
 * @param {string} text
 */
function activate(board, text) {
  const place = /** @type {Place} */ (text.split(",").map(Number));
  if (board.mode === "paint") {
    board.act("paint", model.withSquares(board.snapshot, [place], board.brush), {
      squares: [place], value: board.brush });
  } else {
    board.select(place);
  }
}

/**
 * @param {Board} board
 * @param {KeyboardEvent} event
 */
function key(board, event) {
  if (cornerKey(board, event) || keyAction(board, event)) event.preventDefault();
  // The page has shortcuts of its own for the same letters.
  event.stopPropagation();
}

/**
 * @param {Board} board
 * @param {FocusEvent} event
 */
function focus(board, event) {
  const place = /** @type {Element} */ (event.target).getAttribute("data-place");
  if (place) board.focused = /** @type {Place} */ (place.split(",").map(Number));
}
