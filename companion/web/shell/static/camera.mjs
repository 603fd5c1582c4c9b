// @ts-check
/**
 * Opens the live view of the rear camera where a phone may show one. Everywhere else the file
 * field opens as it always does.
 */

export const REFUSED = "camera refused";

/** Whether this is a phone or a tablet whose browser lets the page show its camera. */
function hasCamera() {
  return (
    isSecureContext &&
    Boolean(navigator.mediaDevices?.getUserMedia) &&
    matchMedia("(pointer: coarse)").matches &&
    !sessionStorage.getItem(REFUSED)
  );
}

// Not at the window itself: there the click after a tap that was dealt with is swallowed.
document.addEventListener(
  "click",
  (event) => {
    const target = /** @type {Element} */ (event.target);
    const field = target.closest?.("label.button")?.querySelector("input[data-photo]");
    // The view itself opens the field by a click that nobody made.
    if (!(field instanceof HTMLInputElement) || !event.isTrusted || !hasCamera()) return;
    event.preventDefault();
    event.stopPropagation();
    import("./camera_view.mjs").then(({ open }) => open(field), () => field.click());
  },
  true,
);
