// @ts-check
/**
 * The service worker: where the server does not answer, a page is shown as it was open last, and the
 * photos of a game are there. Browsers run it in secure contexts only.
 *
 * The server puts two constants before this text: VERSION, and FILES with what a page without a
 * connection needs, its own address first.
 */

const worker = /** @type {any} */ (globalThis);
// @ts-ignore: of the server
const [version, files] = [VERSION, /** @type {string[]} */ (FILES)];
const PAGES = `companion-${version}`;
const PHOTOS = "companion-photos";
const MOST_PHOTOS = 24;
const [OFFLINE] = files;

worker.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(prepare());
});
worker.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(takeOver());
});
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(event));
  else if (address.pathname.includes(`/assets/${version}/`)) event.respondWith(asset(request));
  else if (/\/photo\/[\w-]+$/.test(address.pathname)) event.respondWith(photo(request));
});

async function prepare() {
  const cache = await caches.open(PAGES);
  await cache.addAll(files);
  await worker.skipWaiting();
}

async function takeOver() {
  const ours = (await caches.keys()).filter((name) => name.startsWith("companion-"));
  const old = ours.filter((name) => name !== PAGES && name !== PHOTOS);
  await Promise.all(old.map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/** The page of the server, or the one without a connection. @param {any} event */
async function page(event) {
  try {
    // Going back takes what the browser has of the page, whether or not the server is there.
    const answer = await fetch(event.request.url, { cache: "no-cache", redirect: "manual" });
    if (![502, 503, 504].includes(answer.status)) {
      // In the language that is spoken now.
      event.waitUntil(caches.open(PAGES).then((cache) => cache.add(OFFLINE)).catch(() => {}));
      return answer;
    }
  } catch {
    // Nobody is there.
  }
  return (await caches.match(OFFLINE)) ?? Response.error();
}

/** @param {Request} request */
async function asset(request) {
  return (await caches.match(request)) ?? fetch(request);
}

/** @param {Request} request */
async function photo(request) {
  const cache = await caches.open(PHOTOS);
  const known = await cache.match(request);
  if (known) return known;
  const answer = await fetch(request);
  try {
    if (answer.ok) await cache.put(request, answer.clone());
    const all = await cache.keys();
    await Promise.all(all.slice(0, -MOST_PHOTOS).map((each) => cache.delete(each)));
  } catch {
    // There is no room on this phone: it is shown all the same.
  }
  return answer;
}
