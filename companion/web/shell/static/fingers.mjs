// @ts-check
/**
 * Fingers and mouse: tap, stroke, pan, pinch and wheel on a stage, and buttons that act when they
 * are left.
 */

/**
 * @typedef {[number, number]} Point x and y
 * @typedef {{
 *   tap: (point: Point) => void,
 *   strokes?: () => boolean,
 *   start?: (point: Point) => void,
 *   stroke?: (point: Point) => void,
 *   end?: (kept: boolean) => void,
 *   pan: (dx: number, dy: number) => void,
 *   zoom: (factor: number, at: Point) => void,
 * }} Handlers points are in CSS px from the top left of the stage; `strokes` tells whether one
 *   finger paints rather than moves the view
 */

/** How far a finger may wander that only taps. */
const SLOP_PX = 10;

/**
 * Listens on a stage; gives the function that stops it.
 * @param {HTMLElement} stage
 * @param {Handlers} handlers
 */
export function listen(stage, handlers) {
  /** @type {Map<number, Point>} */
  const fingers = new Map();
  /** @type {"none" | "press" | "pan" | "stroke" | "pinch"} */
  let doing = "none";
  let from = /** @type {Point} */ ([0, 0]);

  /** @param {MouseEvent} event @returns {Point} */
  const at = (event) => {
    const box = stage.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  /** @returns {[Point, number]} the middle of two fingers and how far they are apart */
  const pair = () => {
    const [a, b] = [...fingers.values()];
    return [[(a[0] + b[0]) / 2, (a[1] + b[1]) / 2], Math.hypot(a[0] - b[0], a[1] - b[1])];
  };

  /** @param {PointerEvent} event */
  const down = (event) => {
    // A button that lies on the stage is pressed by itself.
    const onButton = /** @type {Element} */ (event.target).closest("[data-do]") !== null;
    if (event.button > 0 || onButton) return;
    // One whose end nobody told of begins anew.
    if (fingers.delete(event.pointerId) && doing === "stroke") handlers.end?.(false);
    fingers.set(event.pointerId, at(event));
    // Without it the finger would be lost with a drawing that is replaced under it.
    stage.setPointerCapture(event.pointerId);
    if (fingers.size === 1) {
      from = at(event);
      doing = handlers.strokes?.() ? "stroke" : "press";
      if (doing === "stroke") handlers.start?.(from);
    } else {
      if (doing === "stroke") handlers.end?.(false);
      doing = "pinch";
    }
  };

  /** @param {PointerEvent} event */
  const move = (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = at(event);
    if (doing === "pinch" && fingers.size === 2) {
      const [middle, apart] = pair();
      fingers.set(event.pointerId, now);
      const [newMiddle, newApart] = pair();
      handlers.pan(newMiddle[0] - middle[0], newMiddle[1] - middle[1]);
      if (apart > 0) handlers.zoom(newApart / apart, newMiddle);
      return;
    }
    fingers.set(event.pointerId, now);
    if (doing === "press" && Math.hypot(now[0] - from[0], now[1] - from[1]) > SLOP_PX) {
      doing = "pan";
    }
    if (doing === "pan") handlers.pan(now[0] - before[0], now[1] - before[1]);
    if (doing === "stroke") {
      for (const each of event.getCoalescedEvents?.() ?? []) handlers.stroke?.(at(each));
      handlers.stroke?.(now);
    }
  };

  /** @param {PointerEvent} event */
  const up = (event) => {
    if (!fingers.delete(event.pointerId)) return;
    const cancelled = event.type === "pointercancel";
    if (doing === "press" && !cancelled) {
      swallowClick(event);
      handlers.tap(from);
    }
    if (doing === "stroke") handlers.end?.(!cancelled);
    doing = "none";
  };

  /** @param {WheelEvent} event */
  const wheel = (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    handlers.zoom(Math.exp(-event.deltaY / 200), at(event));
  };

  stage.addEventListener("pointerdown", down);
  stage.addEventListener("pointermove", move);
  stage.addEventListener("pointerup", up);
  stage.addEventListener("pointercancel", up);
  stage.addEventListener("wheel", wheel, { passive: false });
  return () => {
    stage.removeEventListener("pointerdown", down);
    stage.removeEventListener("pointermove", move);
    stage.removeEventListener("pointerup", up);
    stage.removeEventListener("pointercancel", up);
    stage.removeEventListener("wheel", wheel);
  };
}

const PRESS_SLOP_PX = 12;
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
    if (Math.hypot(event.clientX - held.x, event.clientY - held.y) > PRESS_SLOP_PX) return;
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
 * Keeps the click that a browser makes after a tap that was dealt with from whatever lies under the
 * finger by then: a sheet that has closed leaves other buttons and links in its place.
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
