// @ts-check
/** What is on its way to the server: numbered, kept until it is answered, sent again. */

import { Insistence } from "./again.mjs";

/**
 * @typedef {import("./types.mjs").Done} Done
 * @typedef {import("./types.mjs").Answer} Answer
 * @typedef {"calm" | "sending" | "late"} Condition
 */

export const LATE_MS = 2500;
export const MAX_DONE = 200;

/** A name that nothing else that sends has, from letters and digits. */
export function newClient() {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  return Array.from(bytes, (byte) => byte.toString(36).padStart(2, "0")).join("");
}

export class Outbox {
  /**
   * @param {string} client
   * @param {(seq: number, done: Done[]) => void} send gets the newest number and all that was
   *   done and not answered yet
   * @param {(now: Condition, before: Condition) => void} [onCondition]
   */
  constructor(client, send, onCondition = () => {}) {
    this.client = client;
    this.seq = 0;
    this.answered = 0;
    /** @type {Done[]} */
    this.done = [];
    this.send = send;
    this.onCondition = onCondition;
    /** @type {Condition} */
    this.condition = "calm";
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.insistence = new Insistence();
  }

  get idle() {
    return this.answered === this.seq;
  }

  /** @param {Omit<Done, "seq">} done */
  add(done) {
    this.seq += 1;
    this.done = [...this.done, { seq: this.seq, ...done }].slice(-MAX_DONE);
    if (this.condition === "calm") this.#become("sending");
    this.#dispatch();
  }

  /**
   * An answer arrived; one to somebody else's change answers nothing.
   * @param {Answer | null} answer
   */
  receive(answer) {
    if (!answer || answer.client !== this.client || answer.seq > this.seq) return;
    if (answer.seq <= this.answered) return;
    this.answered = answer.seq;
    this.done = this.done.filter(({ seq }) => seq > this.answered);
    if (!this.idle) return;
    clearTimeout(this.timer);
    this.#become("calm");
  }

  /**
   * Whether an answer was overtaken by a newer one.
   * @param {Answer | null} answer
   */
  isStale(answer) {
    return answer?.client === this.client && answer.seq < this.answered;
  }

  /** Sends what is not answered once more. */
  resend() {
    if (!this.idle) this.#dispatch();
  }

  close() {
    clearTimeout(this.timer);
  }

  #dispatch() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.#become("late");
      this.resend();
    }, LATE_MS);
    this.send(this.seq, this.done);
    this.insistence.sent(this.seq);
  }

  /** @param {Condition} condition */
  #become(condition) {
    if (condition === this.condition) return;
    const before = this.condition;
    this.condition = condition;
    this.onCondition(condition, before);
  }
}
