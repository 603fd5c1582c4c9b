// @ts-check
/**
 * The bridge: Streamlit brings the data of the parts of a page, a module of each part's own draws
 * them.
 */

import { keepPage } from "./kept.mjs";
import { numbered } from "./wire.mjs";

/**
 * @typedef {{data: any, parentElement: HTMLElement | ShadowRoot,
 *   setStateValue: (name: string, value: unknown) => void,
 *   setTriggerValue: (name: string, value: unknown) => void}} Mounted what Streamlit hands over
 * @typedef {(message: object) => void} Send
 * @typedef {{receive: (data: any) => void, destroy: () => void}} Part
 * @typedef {{mount: (root: HTMLElement, data: any, send: Send) => Part, once?: boolean}} PartModule
 *   with ``once`` a message is forgotten as soon as the server has it, else it is there again in
 *   every later run
 */

/** All scripts are below the address of their version. */
const ROOT = new URL("../../", import.meta.url);
const RELOADED = "reloaded for";

/** @type {WeakMap<HTMLElement | ShadowRoot, Place>} */
const places = new WeakMap();
/** @type {Set<Place>} those that are on the page */
const shown = new Set();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let keeping;
const KEEP_AFTER_MS = 800;
const AGAIN_AFTER_MS = 2000;

/** Keeps the page as it is, for when it is opened without a connection. */
function keepSoon() {
  clearTimeout(keeping);
  keeping = setTimeout(() => {
    const all = [...shown].filter(({ element }) => element.isConnected);
    all.sort((one, other) =>
      one.element.compareDocumentPosition(other.element) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1);
    const parts = all.map(({ of, module, style, data }) => ({ of, module, style, data }));
    if (parts.length) keepPage(location.search, parts);
  }, KEEP_AFTER_MS);
}

/**
 * Draws what Streamlit hands over, and every later state into the same part.
 * @param {Mounted} mounted
 * @param {string} version of the scripts that the server has
 * @param {string} module the address of the part's module
 * @param {string} [style] that of its own style, where it has its own shadow tree
 * @returns {(() => void) | undefined} takes the part away
 */
export function mount(mounted, version, module, style) {
  if (!ROOT.pathname.endsWith(`/${version}/`)) {
    reload(version);
    return undefined;
  }
  const { parentElement: parent, data } = mounted;
  let place = places.get(parent);
  if (place && place.of !== data.of) {
    place.destroy();
    place = undefined;
  }
  if (!place) {
    place = new Place(mounted, module, style);
    places.set(parent, place);
  } else place.show(mounted);
  const here = place;
  // Streamlit may take away what it handed over before, after it has handed over the next.
  return () => {
    if (here.mounted !== mounted) return;
    here.destroy();
    if (places.get(parent) === here) places.delete(parent);
  };
}

/** The server is of another version than the page: once, the page is loaded anew. */
function reload(/** @type {string} */ version) {
  try {
    if (sessionStorage.getItem(RELOADED) === version) return;
    sessionStorage.setItem(RELOADED, version);
  } catch {
    return; // where nothing may be kept, it would be loaded anew without end
  }
  location.reload();
}

/** Where a part is drawn. */
class Place {
  /**
   * @param {Mounted} mounted
   * @param {string} module
   * @param {string} [style]
   */
  constructor(mounted, module, style) {
    this.mounted = mounted;
    this.of = mounted.data.of;
    this.module = module;
    this.style = style;
    /** All that came down: what is sent once only stands in an earlier message. */
    this.data = mounted.data;
    this.root = document.createElement("div");
    /** @type {Part | null} */
    this.part = null;
    this.gone = false;
    this.#load(module, style);
  }

  /**
   * @param {string} module
   * @param {string} [style]
   */
  async #load(module, style) {
    foretell(module);
    /** @type {[PartModule, string] | undefined} */
    const loaded = await Promise.all([
      import(new URL(module, ROOT).href),
      style ? textOf(style) : "",
    ]).catch((error) => {
      console.error(error);
      return undefined;
    });
    if (this.gone) return;
    if (!loaded) {
      // With a poor connection it may come later.
      setTimeout(() => this.gone || this.#load(module, style), AGAIN_AFTER_MS);
      return;
    }
    const [{ mount: draw, once }, css] = loaded;
    const parent = this.mounted.parentElement;
    if (css) parent.append(Object.assign(document.createElement("style"), { textContent: css }));
    parent.append(this.root);
    this.part = draw(this.root, this.mounted.data, (message) => {
      const { mounted } = this;
      if (once) mounted.setTriggerValue("sent", message);
      else mounted.setStateValue("sent", numbered(message));
    });
    shown.add(this);
    keepSoon();
  }

  get element() {
    const { parentElement: parent } = this.mounted;
    return parent instanceof ShadowRoot ? parent.host : parent;
  }

  /** @param {Mounted} mounted */
  show(mounted) {
    this.mounted = mounted;
    this.data = { ...mounted.data, dossier: mounted.data.dossier ?? this.data.dossier };
    this.part?.receive(mounted.data);
    keepSoon();
    if (this.part && !this.root.isConnected) mounted.parentElement.append(this.root);
  }

  destroy() {
    this.gone = true;
    shown.delete(this);
    this.part?.destroy();
    this.root.remove();
  }
}

/**
 * Has the browser load at once all that a module needs, which it would else learn script by script.
 * @param {string} module
 */
function foretell(module) {
  const said = document.querySelector('meta[name="scripts"]')?.getAttribute("content");
  const needed = said ? JSON.parse(said)[module] ?? [] : [];
  for (const path of foretold.has(module) ? [] : needed) {
    const { href } = new URL(path, ROOT);
    document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
  }
  foretold.add(module);
}

/** @type {Set<string>} */
const foretold = new Set();

/** @type {Map<string, Promise<string>>} */
const texts = new Map();

/** @param {string} address */
function textOf(address) {
  let text = texts.get(address);
  if (!text) {
    text = fetch(new URL(address, ROOT)).then((answer) => {
      if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
      return answer.text();
    });
    texts.set(address, text);
    text.catch(() => texts.delete(address));
  }
  return text;
}
