// @ts-check
/**
 * What the phone keeps of its own, through reloads and without a connection: values by key, in
 * drawers, in IndexedDB. Each path of a server has its own, so that two companions of one host keep
 * apart.
 *
 * Where the browser keeps nothing, as in some private windows, drawers are empty and stay so.
 */

/** @typedef {"games" | "changes" | "photos"} Name of a drawer */

/** @type {Name[]} */
const DRAWERS = ["games", "changes", "photos"];
const VERSION = 1;

/** @type {Promise<IDBDatabase | null> | undefined} */
let opened;

/** The database; null where there is none to be had. */
function database() {
  opened ??= new Promise((come) => {
    try {
      const path = new URL(".", document.baseURI).pathname;
      const request = indexedDB.open(`companion ${path}`, VERSION);
      request.onupgradeneeded = () => {
        for (const name of DRAWERS) request.result.createObjectStore(name);
      };
      request.onsuccess = () => {
        // Another window wants a newer version, or the browser clears up: opened anew when needed.
        request.result.onversionchange = () => {
          request.result.close();
          opened = undefined;
        };
        request.result.onclose = () => (opened = undefined);
        come(request.result);
      };
      const none = () => come(null);
      Object.assign(request, { onerror: none, onblocked: none });
    } catch {
      come(null);
    }
  });
  return opened;
}

/**
 * One piece of work on a drawer, on the disk when it resolves.
 * @template T
 * @param {Name} name
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest<T> | null} work
 * @returns {Promise<T | undefined>} undefined where nothing can be kept, or there is no room
 */
async function done(name, mode, work) {
  const base = await database();
  if (!base) return undefined;
  return new Promise((come) => {
    try {
      const transaction = base.transaction(name, mode);
      const request = work(transaction.objectStore(name));
      transaction.oncomplete = () => come(request?.result);
      transaction.onabort = () => come(undefined);
    } catch {
      opened = undefined; // It was closed by the browser.
      come(undefined);
    }
  });
}

/**
 * A drawer of the phone.
 * @template T
 * @param {Name} name
 */
export function drawer(name) {
  return {
    /** @param {string} key @returns {Promise<T | undefined>} */
    get: (key) => done(name, "readonly", (store) => store.get(key)),
    /** @returns {Promise<T[]>} in the order of their keys */
    all: async () => (await done(name, "readonly", (store) => store.getAll())) ?? [],
    /** @param {string} key @param {T} value @returns {Promise<boolean>} whether it is kept */
    put: async (key, value) =>
      (await done(name, "readwrite", (store) => store.put(value, key))) !== undefined,
    /** @param {string} key */
    remove: (key) => done(name, "readwrite", (store) => store.delete(key)),
    clear: () => done(name, "readwrite", (store) => store.clear()),
  };
}
