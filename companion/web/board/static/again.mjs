// @ts-check
/** What was not answered, sent once more so that it arrives. */

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

const PATIENCE = 4;

function askForThePage() {
  // There is none where the modules run without a browser.
  globalThis.dispatchEvent?.(new PopStateEvent("popstate"));
}

/** Counts how often the newest message of a component was sent. */
export class Insistence {
  constructor() {
    this.seq = 0;
    this.times = 0;
  }

  /**
   * Every fourth time that the same is sent, the whole page is drawn again, which takes along what
   * components hold: after a restart the server may not know the part of the page that a component
   * belongs to, and says nothing of it. Not sooner, because that breaks off what is at work.
   * @param {number} seq the number of what is sent
   */
  sent(seq) {
    this.times = seq === this.seq ? this.times + 1 : 0;
    this.seq = seq;
    if (this.times > 0 && this.times % PATIENCE === 0) askForThePage();
  }
}
