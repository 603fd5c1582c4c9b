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

/**
 * Has the whole page drawn again, which takes along what components hold. After a restart the server
 * may not know the part of the page that a component belongs to, and says nothing of it.
 */
export function askForThePage() {
  dispatchEvent(new PopStateEvent("popstate"));
}
