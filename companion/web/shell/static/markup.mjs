// @ts-check
/**
 * Markup: made of escaped texts, and brought into the page by changing only what differs, so that
 * focus and fingers stay.
 */

/** @type {WeakMap<Element, string>} the markup that an element has */
const shown = new WeakMap();

/**
 * Makes the children of an element those of the markup. Elements with `data-keep` keep theirs.
 * @param {Element} element
 * @param {string} markup
 */
export function morph(element, markup) {
  if (shown.get(element) === markup) return;
  shown.set(element, markup);
  const template = element.ownerDocument.createElement("template");
  template.innerHTML = markup;
  matchChildren(element, template.content);
}

/**
 * @param {Node} now
 * @param {Node} wanted
 */
function matchChildren(now, wanted) {
  const [old, fresh] = [[...now.childNodes], [...wanted.childNodes]];
  fresh.forEach((node, index) => {
    const there = old[index];
    if (!there) now.appendChild(node);
    else if (!isSame(there, node)) now.replaceChild(node, there);
    else if (there instanceof Element) matchElement(there, /** @type {Element} */ (node));
    else if (there.nodeValue !== node.nodeValue) there.nodeValue = node.nodeValue;
  });
  old.slice(fresh.length).forEach((node) => now.removeChild(node));
}

/**
 * @param {Node} a
 * @param {Node} b
 */
function isSame(a, b) {
  if (a.nodeName !== b.nodeName) return false;
  const [first, second] = [/** @type {Element} */ (a), /** @type {Element} */ (b)];
  return !(a instanceof Element) || first.getAttribute("data-key") === second.getAttribute("data-key");
}

/**
 * @param {Element} now
 * @param {Element} wanted
 */
function matchElement(now, wanted) {
  const on = wanted.hasAttribute("checked");
  // A box that somebody has tapped does not follow its attribute any more.
  if (now instanceof HTMLInputElement && now.hasAttribute("checked") !== on) now.checked = on;
  for (const { name } of [...now.attributes]) {
    if (!wanted.hasAttribute(name)) now.removeAttribute(name);
  }
  for (const { name, value } of [...wanted.attributes]) {
    if (now.getAttribute(name) !== value) now.setAttribute(name, value);
  }
  if (!now.hasAttribute("data-keep")) matchChildren(now, wanted);
}

/**
 * @param {string} action what the button does
 * @param {string} inside its markup
 * @param {{name?: string, value?: string | number, pressed?: boolean, off?: boolean,
 *   look?: string, style?: string}} [more]
 */
export function button(action, inside, more = {}) {
  const { name, value, pressed, off, look, style } = more;
  const attributes = [
    `data-do="${action}"`,
    value === undefined ? "" : `data-value="${value}"`,
    name === undefined ? "" : `aria-label="${quoted(name)}" title="${quoted(name)}"`,
    pressed === undefined ? "" : `aria-pressed="${pressed}"`,
    off ? "disabled" : "",
    look ? `class="${look}"` : "",
    style ? `style="${style}"` : "",
  ];
  return `<button type="button" ${attributes.filter(Boolean).join(" ")}>${inside}</button>`;
}

/** @param {string} text */
export function quoted(text) {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

/** @typedef {Record<string, string>} Words by their code */

/**
 * The text of a code with its {fields} filled in.
 * @param {Words} words
 * @param {string} code
 * @param {Record<string, string | number>} [values]
 */
export function say(words, code, values = {}) {
  const text = words[code] ?? code;
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

/**
 * A text that is different for one.
 * @param {Words} words
 * @param {string} code
 * @param {number} count
 */
export function sayCount(words, code, count) {
  return say(words, `${code}.${count === 1 ? "one" : "several"}`, { count });
}
