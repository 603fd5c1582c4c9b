// @ts-check
/** A piece of a page that answers fingers at once and sends what it holds until it is answered. */

import { listenToPresses } from "../../shell/static/fingers.mjs";
import { morph, say } from "../../shell/static/markup.mjs";
import { Wire } from "../../shell/static/wire.mjs";

/**
 * @typedef {{of?: string, answers?: {client: string, seq: number}, words: Record<string, string>}} Data
 * @typedef {(message: object) => void} Send
 */

/** @template {Data} D */
export class Piece {
  /**
   * @param {HTMLElement} root
   * @param {D} data
   * @param {Send} send
   */
  constructor(root, data, send) {
    this.root = root;
    this.data = data;
    this.wire = new Wire(send, {
      keep: data.of, more: () => this.message(), onCondition: () => this.draw() });
    listenToPresses(root, (button) => {
      this.act(button.getAttribute("data-do") ?? "", button.getAttribute("data-value") ?? "");
    });
  }

  /** What goes up: all of it, so that the newest message alone is enough. @returns {object} */
  message() {
    return {};
  }

  /** @returns {string} */
  markup() {
    return "";
  }

  /** @param {string} _what @param {string} _value */
  act(_what, _value) {}

  /** What came down is taken over; only called while nothing is on its way. */
  adopt() {}

  /** Takes over what a page before this one has left behind; called when all else is there. */
  resume() {
    if (this.wire.left) this.take(this.wire.left);
  }

  /** @param {any} _left a message, as it went up */
  take(_left) {}

  /** @param {D} data */
  receive(data) {
    const received = this.wire.receive(data.answers);
    if (received === "stale") return;
    this.data = data;
    if (received === "idle") this.adopt();
    this.draw();
  }

  /** Draws, and sends what changed. */
  changed() {
    this.wire.add({ kind: "set" });
    this.draw();
  }

  draw() {
    morph(this.root, this.markup());
    this.root.dataset.sync = this.wire.idle ? "calm" : "sending";
  }

  destroy() {
    this.wire.close();
  }

  /**
   * @param {string} code
   * @param {Record<string, string | number>} [values]
   */
  say(code, values = {}) {
    return say(this.data.words, code, values);
  }

  /** The line that says that the connection is gone. */
  late() {
    const late = this.wire.condition === "late";
    return `<p class="late" role="status">${late ? this.say("sync.late") : ""}</p>`;
  }
}
