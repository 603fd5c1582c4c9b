// @ts-check
/** What a phone keeps, without a browser: local storage and a database in memory. */

/** Local storage; `held` is what is in it. */
export function storage() {
  const held = new Map();
  return /** @type {any} */ (new Proxy({
    held, getItem: (key) => held.get(key) ?? null, setItem: (key, value) => held.set(key, value),
    removeItem: (key) => held.delete(key),
  }, { ownKeys: () => [...held.keys()], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }) }));
}

/** A database as the browser has one: answers come later, one piece of work at a time. */
export class Databases {
  /** @type {Map<string, Map<string, Map<string, unknown>>>} what is in them, by name and drawer */
  held = new Map();
  /** @type {any[]} those that are open */
  open_ = [];
  /** @type {"" | "throws" | "error" | "blocked"} how the next one refuses to open */
  refuses = "";
  full = false;

  open(name, version) {
    this.asked = [name, version];
    if (this.refuses === "throws") throw new Error("denied");
    const request = /** @type {any} */ ({});
    const { refuses } = this;
    Promise.resolve().then(() => {
      if (refuses) return request[`on${refuses}`]();
      const isNew = !this.held.has(name);
      if (isNew) this.held.set(name, new Map());
      const drawers = /** @type {Map<string, Map<string, unknown>>} */ (this.held.get(name));
      request.result = {
        isClosed: false,
        createObjectStore: (drawer) => drawers.set(drawer, new Map()),
        close() { this.isClosed = true; },
        transaction: (drawer, mode) => this.#transaction(request.result, drawers.get(drawer), mode),
      };
      if (isNew) request.onupgradeneeded();
      this.open_.push(request.result);
      request.onsuccess();
    });
    return request;
  }

  #transaction(base, drawer, mode) {
    if (base.isClosed || !drawer) throw new Error("InvalidStateError");
    const transaction = /** @type {any} */ ({});
    let work = () => /** @type {any} */ (undefined);
    const request = /** @type {any} */ ({});
    const later = (/** @type {() => any} */ does, writes = false) => {
      if (writes && mode !== "readwrite") throw new Error("ReadOnlyError");
      work = does;
      return request;
    };
    transaction.objectStore = () => ({
      get: (key) => later(() => drawer.get(key)),
      getAll: () => later(() => [...drawer.keys()].sort().map((key) => drawer.get(key))),
      put: (value, key) => later(() => { drawer.set(key, value); return key; }, true),
      delete: (key) => later(() => void drawer.delete(key), true),
      clear: () => later(() => void drawer.clear(), true),
    });
    Promise.resolve().then(() => {
      if (this.full && mode === "readwrite") return transaction.onabort();
      request.result = work();
      transaction.oncomplete();
    });
    return transaction;
  }
}

/** The one that all scripts have, which open it once. */
export const databases = new Databases();
globalThis.indexedDB = /** @type {any} */ (databases);

/** What is in a drawer of the scripts. @param {string} name */
export const drawn = (name) => [...databases.held.values()].map((all) => all.get(name)).find(Boolean) ?? new Map();
