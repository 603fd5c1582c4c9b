// @ts-check
/** A piece of a page that answers fingers at once and sends what it holds until it is answered. */

import { listenToPresses } from "../../shell/static/fingers.mjs";
import { morph, say } from "../../shell/static/markup.mjs";
import { Outbox, newClient } from "../../shell/static/wire.mjs";

/**
 * @typedef {{answers?: {client: string, seq: number}, words: Record<string, string>}} Data
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
    const client = newClient();
    this.outbox = new Outbox(
      client,
      (seq) => send({ client, seq, ...this.message() }),
      () => this.draw(),
    );
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

  /** @param {D} data */
  receive(data) {
    this.data = data;
    this.outbox.receive(data.answers ?? null);
    if (this.outbox.idle) this.adopt();
    this.draw();
  }

  /** Draws, and sends what changed. */
  changed() {
    this.outbox.add({ kind: "set" });
    this.draw();
  }

  draw() {
    morph(this.root, this.markup());
    this.root.dataset.sync = this.outbox.idle ? "calm" : "sending";
  }

  destroy() {
    this.outbox.close();
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
    const late = this.outbox.condition === "late";
    return `<p class="late" role="status">${late ? this.say("sync.late") : ""}</p>`;
  }
}
