// @ts-check
/** A piece of a page that answers fingers at once and sends what it holds until it is answered. */

import { listenToPresses } from "../../shell/static/fingers.mjs";
import { morph, say } from "../../shell/static/markup.mjs";
import { Wire } from "../../shell/static/wire.mjs";

/**
 * @typedef {{of?: string, answers?: {client: string, seq: number}, words: Record<string, string>}} Data
 * @typedef {(message: object) => void} Send
 * @typedef {object} Own what a piece does of its own
 * @property {() => object} message what goes up: all of it, so that the newest alone is enough
 * @property {() => string} markup
 * @property {(what: string, value: string) => void} act
 * @property {() => void} adopt what came down is taken over; only while nothing is on its way
 * @property {(left: any) => void} take a message of the page before, as it went up
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
      keep: data.of, more: () => this.#own.message(), onCondition: () => this.draw() });
    listenToPresses(root, (button) => {
      this.#own.act(button.getAttribute("data-do") ?? "", button.getAttribute("data-value") ?? "");
    });
  }

  /** What a piece does of its own. */
  get #own() {
    return /** @type {Own} */ (/** @type {unknown} */ (this));
  }

  /** Takes over what a page before this one has left behind; called when all else is there. */
  resume() {
    if (this.wire.left) this.#own.take(this.wire.left);
  }

  /** @param {D} data */
  receive(data) {
    const received = this.wire.receive(data.answers);
    if (received === "stale") return;
    this.data = data;
    if (received === "idle") this.#own.adopt();
    this.draw();
  }

  /** Draws, and sends what changed. */
  changed() {
    this.wire.add({ kind: "set" });
    this.draw();
  }

  draw() {
    morph(this.root, this.#own.markup());
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
