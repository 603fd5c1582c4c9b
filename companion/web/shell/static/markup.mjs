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
 * Elements with a key stay themselves wherever others come or go beside them: whoever types in one
 * goes on typing.
 * @param {Node} now
 * @param {Node} wanted
 */
function matchChildren(now, wanted) {
  const fresh = [...wanted.childNodes];
  const wantedKeys = new Set(fresh.map(keyOf));
  const kept = new Map([...now.childNodes].map((node) => [keyOf(node), node]));
  let at = now.firstChild;
  const past = (/** @type {ChildNode} */ node) => {
    if (node === at) at = node.nextSibling;
    return node;
  };
  for (const node of fresh) {
    while (at && keyOf(at) !== null && !wantedKeys.has(keyOf(at))) past(at).remove();
    const key = keyOf(node);
    const there = key !== null ? kept.get(key) : at && keyOf(at) === null ? at : undefined;
    if (there && isSame(there, node)) {
      if (there === at) past(there);
      else now.insertBefore(there, at);
      if (there instanceof Element) matchElement(there, /** @type {Element} */ (node));
      else if (there.nodeValue !== node.nodeValue) there.nodeValue = node.nodeValue;
    } else if (there && key === null) past(there).replaceWith(node);
    else now.insertBefore(node, at);
  }
  while (at) past(at).remove();
}

/** @param {Node} node */
function keyOf(node) {
  return node instanceof Element ? node.getAttribute("data-key") : null;
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
    // What somebody has opened stays open.
    if (name === "open" && now.nodeName === "DETAILS") continue;
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
