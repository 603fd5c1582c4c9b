// @ts-check
/** A clock that counts up, and goes on after a reload. */

import { Piece } from "./piece.mjs";

/**
 * @typedef {{answers?: {client: string, seq: number}, words: Record<string, string>,
 *   seconds: number, since: number | null, now: number}} ClockState seconds since 1970
 */

const TICK_MS = 250;

/** @param {number} seconds */
export function clockText(seconds) {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** @extends {Piece<ClockState>} */
export class ClockPiece extends Piece {
  /**
   * @param {HTMLElement} root
   * @param {ClockState} data
   * @param {(message: object) => void} send
   */
  constructor(root, data, send) {
    super(root, data, send);
    this.seconds = 0;
    /** @type {number | null} */
    this.since = null;
    this.adopt();
    this.timer = setInterval(() => {
      if (this.since !== null) this.draw();
    }, TICK_MS);
  }

  adopt() {
    const { seconds, since, now } = this.data;
    this.seconds = seconds;
    // The phone's clock may be wrong: only the time that passed here is its own.
    this.since = since === null ? null : Date.now() / 1000 - Math.max(0, now - since);
  }

  /** @returns {number} */
  get passed() {
    const running = this.since === null ? 0 : Date.now() / 1000 - this.since;
    return this.seconds + running;
  }

  message() {
    return { seconds: Math.round(this.passed * 10) / 10, running: this.since !== null };
  }

  /** @param {string} what */
  act(what) {
    if (what === "reset") this.seconds = 0;
    else this.seconds = this.passed;
    this.since = what === "start" ? Date.now() / 1000 : null;
    this.changed();
  }

  markup() {
    const runs = this.since !== null;
    const reset = this.passed && !runs
      ? `<button type="button" data-do="reset">${this.say("clock.reset")}</button>`
      : "";
    return (
      `<div class="clock"><p class="time" role="timer">${clockText(this.passed)}</p>` +
      `<button type="button" class="middle ${runs ? "" : "main"}" data-do="${runs ? "stop" : "start"}">` +
      `${this.say(runs ? "clock.stop" : "clock.start")}</button>${reset}${this.late()}</div>`
    );
  }

  destroy() {
    clearInterval(this.timer);
    super.destroy();
  }
}
