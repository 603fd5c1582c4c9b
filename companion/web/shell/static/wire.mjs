// @ts-check
/**
 * What is on its way from a part of a page to the server: numbered, kept until it is answered, sent
 * again. The same for boards, hands and pages.
 */

import { forgetChange, keepChange, leftChange } from "./kept.mjs";

/**
 * @typedef {{seq: number, [what: string]: unknown}} Done
 * @typedef {{client: string, seq: number, done: Done[]}} Message with all that was done and is not
 *   answered, the oldest first, and ``seq`` the number of the newest
 * @typedef {{client: string, seq: number}} Answer the newest message that the answer knows of
 * @typedef {"calm" | "sending" | "late"} Condition
 * @typedef {"stale" | "waiting" | "idle"} Received an answer that a newer one has overtaken; one that
 *   leaves something on its way; one after which nothing is
 */

export const LATE_MS = 2500;
export const MAX_DONE = 200;
export const PATIENCE = 4;
export const MAX_WAIT_MS = 8000;

/** @type {number} what is sent again must differ: a page keeps to itself what it had before */
let sends = 0;

/**
 * The message with a number that no other has.
 * @template {object} M
 * @param {M} message
 * @returns {M & {again: number}}
 */
export function numbered(message) {
  sends += 1;
  return { ...message, again: sends };
}

/** A name that nothing else that sends has, from letters and digits. */
export function newClient() {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  return Array.from(bytes, (byte) => byte.toString(36).padStart(2, "0")).join("");
}

/** @type {Set<Wire<any>>} */
const open = new Set();
/** @type {(() => void) | null} */
let next = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;

/**
 * Does something as soon as all that was done on the page is answered, or after some seconds.
 * @param {() => void} work
 */
export function whenAnswered(work) {
  next = work;
  waiting ??= setTimeout(proceed, MAX_WAIT_MS);
  look();
}

function look() {
  if (next && [...open].every(({ idle }) => idle)) proceed();
}

function proceed() {
  const work = next;
  next = null;
  clearTimeout(waiting);
  waiting = undefined;
  work?.();
}

export const CONNECTION = "data-test-connection-state";

/** Whether there is a connection, without which Streamlit forgets what is sent; undefined before it tells. */
export function isConnected() {
  const state = document.querySelector('[data-testid="stApp"]')?.getAttribute(CONNECTION);
  return state ? state === "CONNECTED" : undefined;
}

export function askForThePage() {
  // There is none where the modules run without a browser.
  globalThis.dispatchEvent?.(new PopStateEvent("popstate"));
}

/** @template {object} [M=object] what goes up beside the numbers */
export class Wire {
  /**
   * @param {(message: Message & M) => void} send
   * @param {{
   *   client?: string,
   *   more?: () => M,
   *   onCondition?: (now: Condition, before: Condition) => void,
   *   insists?: boolean,
   *   keep?: string,
   * }} [how] ``client`` is a name that nothing else that sends has; ``more`` what else goes up with
   *   each message; with ``insists`` what is not answered is sent again after a while and as soon as
   *   the phone is online, and not only with what is done next; ``keep`` names the part of a page
   *   whose messages are kept on the phone until they are answered, and sent by its next page
   */
  constructor(
    send, { client = newClient(), more, onCondition = () => {}, insists = true, keep } = {},
  ) {
    /** @type {(Message & M) | null} what a page before this one has left behind */
    this.left = keep === undefined ? null : leftChange(keep);
    this.client = this.left?.client ?? client;
    this.seq = this.left?.seq ?? 0;
    /** @type {Done[]} */
    this.done = this.left?.done ?? [];
    this.answered = this.done.length ? this.done[0].seq - 1 : this.seq;
    this.keep = keep;
    /** @type {Condition} */
    this.condition = "calm";
    /** @type {Map<number, Message & M>} what was sent and is not answered, by its number */
    this.sent = new Map();
    /** @type {(Message & M) | undefined} what was answered just now */
    this.last = undefined;
    this.send = send;
    this.more = more ?? (() => /** @type {M} */ ({}));
    this.onCondition = onCondition;
    this.insists = insists;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** How often the newest message was sent again. */
    this.times = 0;
    this.online = () => this.resend();
    if (insists) globalThis.addEventListener?.("online", this.online);
    this.leave = () => this.#keep(true);
    if (keep !== undefined) globalThis.addEventListener?.("pagehide", this.leave);
    if (!this.idle) this.timer = setTimeout(() => this.#dispatch(), 0);
    open.add(this);
  }

  get idle() {
    return this.answered === this.seq;
  }

  /** @param {Record<string, unknown>} done */
  add(done) {
    this.seq += 1;
    this.times = 0;
    this.done = [...this.done, { seq: this.seq, ...done }].slice(-MAX_DONE);
    if (this.condition === "calm") this.#become("sending");
    this.#dispatch();
  }

  /**
   * Something came down; an answer to somebody else's change answers nothing.
   * @param {Answer | null | undefined} answer
   * @returns {Received}
   */
  receive(answer) {
    this.last = undefined;
    if (answer?.client === this.client && answer.seq <= this.seq) {
      if (answer.seq < this.answered) return "stale";
      if (answer.seq > this.answered) this.#settle(answer.seq);
    }
    return this.idle ? "idle" : "waiting";
  }

  /**
   * Sends what is not answered once more.
   *
   * Every fourth time, the whole page is drawn again, which takes along what parts hold: after a
   * restart the server may not know the fragment that a part belongs to, and says nothing of it.
   * Not sooner, because that breaks off what is at work.
   */
  resend() {
    if (this.idle) return;
    this.#dispatch();
    this.times += 1;
    if (this.times % PATIENCE === 0) askForThePage();
  }

  close() {
    clearTimeout(this.timer);
    globalThis.removeEventListener?.("online", this.online);
    globalThis.removeEventListener?.("pagehide", this.leave);
    this.leave();
    open.delete(this);
    look();
  }

  /** @param {number} seq */
  #settle(seq) {
    this.answered = seq;
    this.done = this.done.filter((each) => each.seq > seq);
    this.last = this.sent.get(seq);
    for (const each of this.sent.keys()) if (each <= seq) this.sent.delete(each);
    if (!this.idle) return;
    clearTimeout(this.timer);
    if (this.keep !== undefined) forgetChange(this.keep);
    this.#become("calm");
    look();
  }

  /** @param {boolean} left whether the page goes away */
  #keep(left) {
    const last = this.sent.get(this.seq) ?? this.left;
    if (this.keep !== undefined && !this.idle && last) keepChange(this.keep, last, left);
  }

  #dispatch() {
    if (this.insists) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => {
        this.#become("late");
        this.resend();
      }, LATE_MS);
    }
    const { client, seq, done } = this;
    const message = { client, seq, done, ...this.more() };
    this.sent.set(seq, message);
    this.#keep(false);
    this.send(message);
  }

  /** @param {Condition} condition */
  #become(condition) {
    if (condition === this.condition) return;
    const before = this.condition;
    this.condition = condition;
    this.onCondition(condition, before);
  }
}
