// @ts-check
/** Stones as drawings and in words. Rims tell colours apart, marks the colours of symbols. */

/** @type {Record<string, string>} */
const FILLS = { y: "#f2c22e", r: "#cf4034", b: "#3f72c4", g: "#4a9a55" };
/** @type {Record<string, string>} */
const INKS = { w: "#ffffff", k: "#16120e", g: "#8f8f8f", l: "#9fdcf5" };
const DARK = "#16120e";

/** @type {Record<string, string>} */
const RIMS = {
  y: `<circle r="40" fill="none" stroke="${DARK}" stroke-width="3"/>`,
  r: `<circle r="40" fill="none" stroke="${DARK}" stroke-width="6" stroke-dasharray="20.9 20.98"/>`,
  b:
    `<circle r="42.5" fill="none" stroke="${DARK}" stroke-width="2.5"/>` +
    `<circle r="36" fill="none" stroke="${DARK}" stroke-width="2.5"/>`,
  g:
    `<circle r="39" fill="none" stroke="${DARK}" stroke-width="7" stroke-linecap="round" ` +
    'stroke-dasharray="0.1 15.3"/>',
};

/** @type {Record<string, string>} */
const SYMBOLS = {
  c: '<circle r="21"/>',
  m: '<path d="M9 -25A27 27 0 1 0 9 25A31 31 0 0 1 9 -25Z"/>',
  t: '<path d="M0 -25L25 18L-25 18Z"/>',
  s: `<path d="${star(27, 11)}"/>`,
};

/** @type {Record<string, string>} */
const MARKS = {
  w: "",
  k: "",
  g: `<path d="M-13 4H13" stroke="${DARK}" stroke-width="5"/>`,
  l: `<circle r="4.5" cy="3" fill="${DARK}"/>`,
};

/**
 * @param {number} outer
 * @param {number} inner
 */
function star(outer, inner) {
  const points = Array.from({ length: 10 }, (_, k) => {
    const radius = k % 2 ? inner : outer;
    const angle = (Math.PI * k) / 5 - Math.PI / 2;
    return `${(radius * Math.cos(angle)).toFixed(1)} ${(radius * Math.sin(angle)).toFixed(1)}`;
  });
  return `M${points.join("L")}Z`;
}

/**
 * A stone or a joker around (0, 0), 90 across, as SVG.
 * @param {string} piece
 */
export function drawn(piece) {
  if (piece === "*") {
    return (
      `<circle r="45" fill="#e2c69a"/><circle r="40" fill="none" stroke="${DARK}" ` +
      'stroke-width="2.5" stroke-dasharray="4 5"/>'
    );
  }
  const [colour, symbol, ink] = piece;
  const outline = ink === "k" ? "#ffffff" : DARK;
  return (
    `<circle r="45" fill="${FILLS[colour]}"/>${RIMS[colour]}` +
    `<g fill="${INKS[ink]}" stroke="${outline}" stroke-width="3" stroke-linejoin="round">` +
    `${SYMBOLS[symbol]}</g>${MARKS[ink]}`
  );
}

/**
 * The same as a picture of its own.
 * @param {string} piece
 */
export function picture(piece) {
  return `<svg class="piece" viewBox="-47 -47 94 94" aria-hidden="true">${drawn(piece)}</svg>`;
}

/** All stones in the order of the pad: a colour on two rows, each symbol's inks side by side. */
export const STONES = [..."yrbg"].flatMap((colour) =>
  [..."cmts"].flatMap((symbol) => [..."wkgl"].map((ink) => `${colour}${symbol}${ink}`)));

/**
 * A stone in words: "red, circle, white".
 * @param {(code: string, values?: Record<string, string | number>) => string} say
 * @param {string | undefined} piece
 */
export function pieceName(say, piece) {
  if (!piece) return say("empty");
  if (piece === "*") return say("joker");
  const [colour, symbol, ink] = piece;
  return `${say(`colour.${colour}`)}, ${say(`symbol.${symbol}`)}, ${say(`ink.${ink}`)}`;
}
