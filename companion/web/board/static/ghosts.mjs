// @ts-check
/** The click that a browser makes after a tap that was dealt with as soon as the finger left. */

const LATEST_MS = 700;
const NEAR_PX = 24;

/**
 * Keeps that click from whatever lies under the finger by then: a sheet that has closed leaves
 * other buttons and links in its place.
 * @param {PointerEvent} tap
 */
export function swallowClick(tap) {
  if (tap.pointerType === "mouse") return;
  /** @param {MouseEvent} event */
  const swallow = (event) => {
    removeEventListener("click", swallow, true);
    if (event.detail === 0 || event.timeStamp - tap.timeStamp > LATEST_MS) return;
    if (Math.hypot(event.clientX - tap.clientX, event.clientY - tap.clientY) > NEAR_PX) return;
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener("click", swallow, true);
  setTimeout(() => removeEventListener("click", swallow, true), LATEST_MS);
}
