// @ts-check
/** Buttons that act when the finger leaves them. */

const SLOP_PX = 12;
const CLICK_AFTER_MS = 800;
const GHOST_MS = 700;
const NEAR_PX = 24;

/**
 * A button (``data-do``) acts when the finger leaves it. The click comes later, and after a stroke
 * that ended in a flick the browser makes none at all; so a click counts only where no finger was,
 * as from a keyboard or a screen reader.
 * @param {HTMLElement} root
 * @param {(button: Element) => void} press
 * @param {(event: MouseEvent) => void} [click] what such a click does, by default a press
 */
export function listenToPresses(root, press, click) {
  /** @type {{id: number, button: Element, x: number, y: number} | null} */
  let down = null;
  let acted = -CLICK_AFTER_MS;
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
    if (!held || held.id !== event.pointerId || held.button.hasAttribute("disabled")) return;
    if (Math.hypot(event.clientX - held.x, event.clientY - held.y) > SLOP_PX) return;
    acted = event.timeStamp;
    swallowClick(event);
    press(held.button);
  });
  root.addEventListener("click", (event) => {
    if (event.detail !== 0 && event.timeStamp - acted <= CLICK_AFTER_MS) return;
    if (click) {
      click(event);
      return;
    }
    const button = /** @type {Element} */ (event.target).closest("[data-do]");
    if (button && !button.hasAttribute("disabled")) press(button);
  });
}

/**
 * Keeps the click that a browser makes after a tap that was dealt with from whatever lies under the finger by then: a sheet that has closed leaves
 * other buttons and links in its place.
 * @param {PointerEvent} tap
 */
function swallowClick(tap) {
  if (tap.pointerType === "mouse") return;
  /** @param {MouseEvent} event */
  const swallow = (event) => {
    removeEventListener("click", swallow, true);
    if (event.detail === 0 || event.timeStamp - tap.timeStamp > GHOST_MS) return;
    if (Math.hypot(event.clientX - tap.clientX, event.clientY - tap.clientY) > NEAR_PX) return;
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener("click", swallow, true);
  setTimeout(() => removeEventListener("click", swallow, true), GHOST_MS);
}
