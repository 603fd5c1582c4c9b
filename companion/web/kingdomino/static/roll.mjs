// @ts-check
/** A number that rolls to its new value, at once where the phone asks for less motion. */

const ROLL_MS = 450;

export class RollingNumber {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    this.shown = 0;
    this.target = 0;
    this.frame = 0;
    element.textContent = "0";
  }

  /**
   * @param {number} value
   * @param {boolean} [atOnce]
   */
  show(value, atOnce = false) {
    if (value === this.target && !atOnce) return;
    cancelAnimationFrame(this.frame);
    const [from, since] = [this.shown, performance.now()];
    this.target = value;
    if (atOnce || matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.#put(value);
      return;
    }
    const step = () => {
      const share = Math.min(1, (performance.now() - since) / ROLL_MS);
      this.#put(Math.round(from + (value - from) * (1 - (1 - share) ** 3)));
      if (share < 1) this.frame = requestAnimationFrame(step);
    };
    // The first step is taken at once: the change is on the screen with the tap that made it.
    this.#put(from + Math.sign(value - from));
    this.frame = requestAnimationFrame(step);
  }

  /** @param {number} value */
  #put(value) {
    this.shown = value;
    this.element.textContent = String(value);
  }
}
