// @ts-check
/** What is on its way to the server: numbered, kept until it is answered, sent again. */

/**
 * @typedef {{seq: number, [what: string]: unknown}} Done
 * @typedef {{client: string, seq: number}} Answer the newest message that the answer knows of
 * @typedef {"calm" | "sending" | "late"} Condition
 */

export const LATE_MS = 2500;
export const MAX_DONE = 200;
const PATIENCE = 4;
const MAX_WAIT_MS = 8000;

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

/** @type {Set<Outbox>} */
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

function askForThePage() {
  // There is none where the modules run without a browser.
  globalThis.dispatchEvent?.(new PopStateEvent("popstate"));
}

export class Outbox {
  /**
   * @param {string} client
   * @param {(seq: number, done: Done[]) => void} send gets the newest number and all that was
   *   done and not answered yet
   * @param {(now: Condition, before: Condition) => void} [onCondition]
   * @param {boolean} [insists] whether what is not answered is sent again after a while, and not
   *   only with what is done next
   */
  constructor(client, send, onCondition = () => {}, insists = true) {
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
    this.insists = insists;
    /** How often the newest message was sent again. */
    this.times = 0;
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
    look();
  }

  /**
   * Whether an answer was overtaken by a newer one.
   * @param {Answer | null} answer
   */
  isStale(answer) {
    return answer?.client === this.client && answer.seq < this.answered;
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
    open.delete(this);
    look();
  }

  #dispatch() {
    if (this.insists) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => {
        this.#become("late");
        this.resend();
      }, LATE_MS);
    }
    this.send(this.seq, this.done);
  }

  /** @param {Condition} condition */
  #become(condition) {
    if (condition === this.condition) return;
    const before = this.condition;
    this.condition = condition;
    this.onCondition(condition, before);
  }
}
