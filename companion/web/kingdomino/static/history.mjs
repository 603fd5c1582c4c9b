// @ts-check
/** Undo and redo without a limit. */

/** @template T */
export class History {
  /**
   * @param {T} present
   * @param {T[]} [past] the oldest first
   */
  constructor(present, past = []) {
    this.past = past;
    this.present = present;
    /** @type {T[]} */
    this.future = [];
  }

  /** @param {T} next */
  push(next) {
    this.past.push(this.present);
    this.present = next;
    this.future = [];
  }

  /** @returns {boolean} whether there was anything to take back */
  undo() {
    return this.#step(this.past, this.future);
  }

  /** @returns {boolean} whether there was anything to do again */
  redo() {
    return this.#step(this.future, this.past);
  }

  /**
   * @param {T[]} from
   * @param {T[]} to
   */
  #step(from, to) {
    const next = from.pop();
    if (next === undefined) return false;
    to.push(this.present);
    this.present = next;
    return true;
  }
}
