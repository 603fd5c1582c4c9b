// @ts-check
/** The pieces as parts of a page. */

import { ClockPiece } from "./clock_piece.mjs";
import { HandPiece } from "./hand_piece.mjs";
import { KeypadPiece } from "./keypad_piece.mjs";

/** @type {Record<string, new (root: HTMLElement, data: any, send: (m: object) => void) => any>} */
const PIECES = { clock: ClockPiece, hand: HandPiece, keypad: KeypadPiece };

/** @type {HTMLElement | null} The page has one piece; one that is not cleared away yet is not shown. */
let shown = null;

/**
 * @param {HTMLElement} root
 * @param {any} data
 * @param {import("../../shell/static/mount.mjs").Send} send
 */
export function mount(root, data, send) {
  root.className = "surface piece";
  const piece = new PIECES[data.piece](root, data, send);
  const show = () => {
    if (shown !== root) shown?.remove();
    shown = root;
  };
  show();
  piece.draw();
  return {
    receive(/** @type {any} */ fresh) {
      show();
      piece.receive(fresh);
    },
    destroy() {
      if (shown === root) shown = null;
      piece.destroy();
    },
  };
}
