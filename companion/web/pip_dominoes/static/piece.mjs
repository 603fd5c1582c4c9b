// @ts-check
/** A piece of a page that answers fingers at once and sends what it holds until it is answered. */

import { numbered } from "../../board/static/again.mjs";
import { morph } from "../../board/static/dom.mjs";
import { listenToPresses } from "../../board/static/presses.mjs";
import { Outbox, newClient } from "../../board/static/sync.mjs";

/**
 * @typedef {{answers: {client: string, seq: number} | null, words: Record<string, string>}} Data
 * @typedef {(message: object) => void} Send
 */

const MOST_MS = 8000;

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
      (seq) => send({ client, seq, ...numbered(this.message()) }),
      () => this.draw(),
    );
    listenToPresses(root, (button) => {
      this.act(button.getAttribute("data-do") ?? "", button.getAttribute("data-value") ?? "");
    });
    /** @type {HTMLElement | null} a link that waits until everything is answered */
    this.leaving = null;
    this.stay = (/** @type {Event} */ event) => this.#stay(event);
    document.addEventListener("click", this.stay, true);
  }

  /**
   * Nobody goes on to another page before what they did is kept.
   * @param {Event} event
   */
  #stay(event) {
    const target = /** @type {Element} */ (event.target);
    const link = target.closest?.("a[data-go]");
    if (!(link instanceof HTMLElement) || this.outbox.idle || !this.root.isConnected) return;
    event.preventDefault();
    event.stopPropagation();
    if (!this.leaving) setTimeout(() => this.#leave(), MOST_MS);
    this.leaving = link;
  }

  #leave() {
    const link = this.leaving;
    this.leaving = null;
    if (!link) return;
    document.removeEventListener("click", this.stay, true);
    link.click();
    document.addEventListener("click", this.stay, true);
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
    this.outbox.receive(data.answers);
    if (this.outbox.idle) this.adopt();
    this.draw();
    if (this.outbox.idle) this.#leave();
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
    document.removeEventListener("click", this.stay, true);
  }

  /**
   * @param {string} code
   * @param {Record<string, string | number>} [values]
   */
  say(code, values = {}) {
    return (this.data.words[code] ?? code).replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
  }

  /** The line that says that the connection is gone. */
  late() {
    const late = this.outbox.condition === "late";
    return `<p class="late" role="status">${late ? this.say("sync.late") : ""}</p>`;
  }
}
