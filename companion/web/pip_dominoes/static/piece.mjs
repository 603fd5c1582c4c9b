// @ts-check
/** A piece of a page that answers fingers at once and sends what it holds until it is answered. */

import { Insistence, numbered } from "../../board/static/again.mjs";
import { morph } from "../../board/static/dom.mjs";
import { swallowClick } from "../../board/static/ghosts.mjs";
import { Outbox } from "../../board/static/sync.mjs";

/**
 * @typedef {{answers: {client: string, seq: number} | null, words: Record<string, string>}} Data
 * @typedef {(message: object) => void} Send
 */

const MOST_MS = 8000;
const SLOP_PX = 12;
const CLICK_AFTER_MS = 800;

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
    const insistence = new Insistence();
    this.outbox = new Outbox(
      client,
      (seq) => {
        send({ client, seq, ...numbered(this.message()) });
        insistence.sent(seq);
      },
      () => this.draw(),
    );
    listen(root, (what, value) => this.act(what, value));
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

/**
 * A button acts when the finger leaves it; the click that follows counts only without a finger.
 * @param {HTMLElement} root
 * @param {(what: string, value: string) => void} act
 */
function listen(root, act) {
  /** @type {{id: number, button: Element, x: number, y: number} | null} */
  let down = null;
  let acted = -CLICK_AFTER_MS;
  /** @param {Element} button */
  const press = (button) => {
    if (button.hasAttribute("disabled")) return;
    act(button.getAttribute("data-do") ?? "", button.getAttribute("data-value") ?? "");
  };
  root.addEventListener("pointerdown", (event) => {
    const button = /** @type {Element} */ (event.target).closest("[data-do]");
    const { pointerId: id, clientX: x, clientY: y } = event;
    down = button && event.button === 0 ? { id, button, x, y } : null;
  });
  root.addEventListener("pointercancel", () => {
    down = null;
  });
  root.addEventListener("pointerup", (event) => {
    const held = down;
    down = null;
    if (!held || held.id !== event.pointerId) return;
    if (Math.hypot(event.clientX - held.x, event.clientY - held.y) > SLOP_PX) return;
    acted = event.timeStamp;
    swallowClick(event);
    press(held.button);
  });
  root.addEventListener("click", (event) => {
    const button = /** @type {Element} */ (event.target).closest("[data-do]");
    if (button && (event.detail === 0 || event.timeStamp - acted > CLICK_AFTER_MS)) press(button);
  });
}

/** A name that no other piece has, from letters and digits. */
function newClient() {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  return Array.from(bytes, (byte) => byte.toString(36).padStart(2, "0")).join("");
}
