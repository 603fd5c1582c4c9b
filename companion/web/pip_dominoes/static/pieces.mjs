// @ts-check
/**
 * The pieces as parts of a page: the hand, the clock that goes on after a reload, the keypad of Muggins.
 */

import { quoted } from "../../shell/static/markup.mjs";
import { HandPiece } from "./hand.mjs";
import { endsPoints } from "./model.mjs";
import { Piece } from "./piece.mjs";

/**
 * @typedef {{of?: string, answers?: {client: string, seq: number}, words: Record<string, string>,
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
    this.resume();
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

  /** @param {{seconds: number, running: boolean, at: number}} left */
  take({ seconds, running, at }) {
    this.seconds = seconds;
    this.since = running ? at : null;
  }

  /** @returns {number} */
  get passed() {
    const running = this.since === null ? 0 : Date.now() / 1000 - this.since;
    return this.seconds + running;
  }

  message() {
    const running = this.since !== null;
    return { seconds: Math.round(this.passed * 10) / 10, running, at: Date.now() / 1000 };
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

/**
 * @typedef {{id: string, player: number, points: number, caller: number | null,
 *   round: number}} Play
 * @typedef {{of?: string, answers?: {client: string, seq: number}, words: Record<string, string>,
 *   players: {id: number, name: string}[], round: number}} KeypadState
 */

const POINTS = [5, 10, 15, 20, 25, 30, 35];
const HIGHEST = 6;

/** @extends {Piece<KeypadState>} */
export class KeypadPiece extends Piece {
  /**
   * @param {HTMLElement} root
   * @param {KeypadState} data
   * @param {(message: object) => void} send
   */
  constructor(root, data, send) {
    super(root, data, send);
    /** @type {Play[]} */
    this.plays = [];
    this.player = data.players[0]?.id ?? 0;
    this.missed = false;
    this.helping = false;
    /** @type {number[]} */
    this.ends = [];
    /** @type {number | undefined} */
    this.caller = undefined;
    this.resume();
  }

  /** @param {{plays: Play[]}} left */
  take({ plays }) {
    this.plays = plays;
  }

  message() {
    return { plays: this.plays };
  }

  adopt() {
    this.plays = [];
  }

  /**
   * @param {string} what
   * @param {string} value
   */
  act(what, value) {
    if (what === "player") {
      this.player = Number(value);
      if (this.missed) this.#choose();
    }
    else if (what === "missed") this.#miss();
    else if (what === "help") this.helping = !this.helping;
    else if (what === "end") this.ends.push(Number(value));
    else if (what === "less") this.ends.pop();
    else if (what === "points") {
      this.#score(Number(value));
      return;
    } else if (what === "caller") {
      this.caller = Number(value);
    }
    this.draw();
  }

  #miss() {
    this.missed = !this.missed;
    this.caller = undefined;
    if (this.missed) this.#choose();
  }

  /** Of two players only the other one can have called it. */
  #choose() {
    const others = this.data.players.filter(({ id }) => id !== this.player);
    this.caller = others.length === 1 ? others[0].id : undefined;
  }

  /** @param {number} points */
  #score(points) {
    if (this.missed && this.caller === undefined) return;
    const id = `${this.wire.client}-${this.wire.seq + 1}`;
    const caller = this.missed && this.caller !== this.player ? (this.caller ?? null) : null;
    this.plays.push({ id, player: this.player, points, caller, round: this.data.round });
    this.ends = [];
    this.helping = false;
    this.missed = false;
    this.caller = undefined;
    this.changed();
  }

  markup() {
    const { players } = this.data;
    const name = (/** @type {string} */ text) => quoted(text);
    const chips = players.map(
      ({ id, name: text }) =>
        `<button type="button" data-do="player" data-value="${id}" aria-pressed="${id === this.player}">${name(text)}</button>`,
    );
    const callers = this.missed
      ? `<p class="question">${this.say("keypad.who_called")}</p><div class="chips">${players
          .filter(({ id }) => id !== this.player)
          .map(
            ({ id, name: text }) =>
              `<button type="button" data-do="caller" data-value="${id}" aria-pressed="${id === this.caller}">${name(text)}</button>`,
          )
          .join("")}</div>`
      : "";
    const waiting = this.missed && this.caller === undefined;
    const keys = POINTS.map(
      (points) =>
        `<button type="button" class="key large" data-do="points" data-value="${points}" ${waiting ? "disabled" : ""}>${points}</button>`,
    );
    return (
      `<h2 class="label">${this.say("keypad.who")}</h2><div class="chips" role="group" aria-label="${this.say("keypad.who")}">${chips.join("")}</div>` +
      `<div class="digits four" role="group" aria-label="${this.say("keypad.points")}">${keys.join("")}` +
      `<button type="button" class="key" data-do="help" aria-expanded="${this.helping}">${this.say("keypad.ends")}</button></div>` +
      `${this.helping ? this.#helper(waiting) : ""}` +
      `<button type="button" data-do="missed" aria-pressed="${this.missed}">${this.say("keypad.missed")}</button>` +
      `${callers}${this.late()}`
    );
  }

  /** @param {boolean} waiting */
  #helper(waiting) {
    const keys = Array.from({ length: HIGHEST + 1 }, (_, number) => number);
    const single = keys.map(
      (number) =>
        `<button type="button" class="key" data-do="end" data-value="${number}">${number}</button>`,
    );
    const doubles = keys.slice(1).map(
      (number) =>
        `<button type="button" class="key" data-do="end" data-value="${2 * number}" aria-label="${this.say("keypad.double", { number })}: ${number} ${number}">${number} ${number}</button>`,
    );
    const total = this.ends.reduce((sum, each) => sum + each, 0);
    const points = endsPoints(this.ends);
    const sum = this.ends.length ? `${this.ends.join(" + ")} = ${total}` : this.say("keypad.tap_ends");
    const take = points
      ? `<button type="button" class="main middle" data-do="points" data-value="${points}" ${waiting ? "disabled" : ""}>${this.say("keypad.take", { points })}</button>`
      : this.ends.length
        ? `<p class="soft">${this.say("keypad.no_points")}</p>`
        : "";
    const less = `<button type="button" data-do="less" ${this.ends.length ? "" : "disabled"}>${this.say("hand.erase")}</button>`;
    return (
      `<div class="card ends"><p class="ends-sum" aria-live="polite">${sum}</p>` +
      `<h2 class="label">${this.say("keypad.free")}</h2><div class="keys">${single.join("")}</div>` +
      `<h2 class="label">${this.say("keypad.doubles")}</h2><div class="keys">${doubles.join("")}</div>` +
      `<div class="row">${take}${less}</div></div>`
    );
  }
}

/** @type {Record<string, new (root: HTMLElement, data: any, send: (m: object) => void) => any>} */
const PIECES = { clock: ClockPiece, hand: HandPiece, keypad: KeypadPiece };

/** @type {HTMLElement | null} The page has one piece; one that is not cleared away yet is not shown. */
let shown = null;

/**
 * @param {HTMLElement} root
 * @param {any} data
 * @param {import("../../shell/static/bridge.mjs").Send} send
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
