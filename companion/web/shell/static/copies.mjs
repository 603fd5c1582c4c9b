// @ts-check
/**
 * The copies of its games that a phone keeps: fetched from the server, shown without it, and given
 * back to a server that has lost them.
 */

import { quoted, say, sayCount } from "./markup.mjs";
import { drawer } from "./phone.mjs";

/**
 * @typedef {{id: string, sequence: number, changed: string, said: string, when: string,
 *   players: [string, number | null][], card: string | null, saved: unknown,
 *   picture?: Blob, refused?: boolean}} Copy a game as the server described it, with the picture of
 *   its result; ``refused`` where a server did not want it back
 * @typedef {{newer: string[], gone: string[], lacking: string[]}} Compared
 */

export const MAX_COPIES = 200;
/** Pictures are large, and take the server a while to draw. */
export const MAX_PICTURES = 12;
const TOLD_MS = 9000;
const CONSENT = "companion-keep-games";

/** @type {ReturnType<typeof drawer<Copy>>} */
const games = drawer("games");
/** @type {Promise<void> | undefined} */
let keeping;

/** Makes the copies on this phone and the games on the server agree; one such work at a time. */
export function keepCopies() {
  keeping ??= agree().finally(() => (keeping = undefined));
  return keeping;
}

async function agree() {
  if (!mayKeep()) {
    await games.clear();
    return;
  }
  const held = await games.all();
  const numbers = Object.fromEntries(held.map(({ id, sequence }) => [id, sequence]));
  /** @type {Compared | null} */
  const compared = await json("copies", { method: "POST", body: JSON.stringify(numbers) });
  if (!compared) return;
  for (const id of compared.gone) await games.remove(id);
  let given = 0;
  for (const copy of held) if (compared.lacking.includes(copy.id) && (await giveBack(copy))) given += 1;
  for (const [place, id] of compared.newer.entries()) await fetchCopy(id, place < MAX_PICTURES);
  const old = (await newestFirst()).slice(MAX_COPIES);
  for (const { id } of old) await games.remove(id);
  if (!given) return;
  tell(sayCount(words(), "given", given));
  // The page of such a game could not be shown until now.
  dispatchEvent(new PopStateEvent("popstate"));
}

/** Nobody has said otherwise on this phone. */
function mayKeep() {
  return !document.cookie.split("; ").includes(`${CONSENT}=false`);
}

/**
 * @param {string} address
 * @param {RequestInit} [how]
 */
async function json(address, how) {
  try {
    const answer = await fetch(address, how);
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

/**
 * @param {string} id
 * @param {boolean} withPicture
 */
async function fetchCopy(id, withPicture) {
  /** @type {Copy | null} */
  const copy = await json(`copies/${id}/${document.documentElement.lang || "en"}`);
  if (!copy) return;
  if (copy.card && withPicture) {
    const answer = await fetch(copy.card).catch(() => null);
    if (answer?.ok) copy.picture = await answer.blob();
  }
  await games.put(id, copy);
}

/**
 * Gives a game back as a file with it would be imported, merged with what is there.
 * @param {Copy} copy
 */
async function giveBack(copy) {
  if (copy.refused) return false;
  let answer;
  try {
    answer = await fetch("saved", { method: "POST", body: JSON.stringify(copy.saved) });
  } catch {
    return false;
  }
  // A server that went on from an older state keeps both; this phone then has what that one has.
  if (answer.ok) await fetchCopy(copy.id, true);
  else if (answer.status === 400) await games.put(copy.id, { ...copy, refused: true });
  return answer.ok;
}

async function newestFirst() {
  const held = await games.all();
  return held.sort((a, b) => (a.changed < b.changed ? 1 : -1));
}

/** In the language of the page. @returns {import("./markup.mjs").Words} */
export function words() {
  const said = document.querySelector('meta[name="copies-words"]')?.getAttribute("content");
  return said ? JSON.parse(said) : {};
}

/** Says something for a while at the foot of the page. @param {string} text */
function tell(text) {
  const bar = document.createElement("p");
  bar.className = "told";
  bar.setAttribute("role", "status");
  document.body.append(bar);
  bar.textContent = text;
  setTimeout(() => bar.remove(), TOLD_MS);
}

/** Whether there is anything to be shown. */
export async function hasCopies() {
  return (await games.all()).length > 0;
}

/**
 * Draws the copies into an element, needing neither server nor connection.
 * @param {HTMLElement} root
 * @returns {Promise<() => void>} lets go of the pictures
 */
export async function showCopies(root) {
  const shown = await newestFirst();
  const pictures = shown.map(({ picture }) => (picture ? URL.createObjectURL(picture) : ""));
  const lines = shown.map((copy, number) => line(copy, pictures[number]));
  root.innerHTML = lines.length
    ? `<ul class="games">${lines.join("")}</ul>`
    : `<p>${quoted(say(words(), "none"))}</p>`;
  return () => pictures.filter(Boolean).forEach((each) => URL.revokeObjectURL(each));
}

/** @param {Copy} copy @param {string} picture */
function line({ said, when, players }, picture) {
  const rows = players.map(
    ([name, points]) =>
      `<tr><th scope="row">${quoted(name)}</th><td>${points === null ? "–" : Number(points)}</td></tr>`,
  );
  const inside = picture
    ? `<img src="${picture}" alt="${quoted(players.map((each) => each.join(" ")).join(", "))}">`
    : `<table>${rows.join("")}</table>`;
  const head = `<span>${quoted(said)}</span><span class="when">${quoted(when)}</span>`;
  return `<li><details><summary>${head}</summary>${inside}</details></li>`;
}

/** Opens a window with the copies on top of whatever is there. */
export async function openCopies() {
  if (document.querySelector("dialog.copies")) return;
  const dialog = document.createElement("dialog");
  dialog.className = "copies";
  const { title, close } = words();
  dialog.setAttribute("aria-label", title ?? "");
  dialog.innerHTML =
    `<header><h2>${quoted(title ?? "")}</h2>` +
    `<button type="button" aria-label="${quoted(close ?? "")}">×</button></header><div></div>`;
  document.body.append(dialog);
  const letGo = await showCopies(/** @type {HTMLElement} */ (dialog.lastElementChild));
  dialog.addEventListener("close", () => {
    letGo();
    dialog.remove();
  });
  dialog.querySelector("button")?.addEventListener("click", () => dialog.close());
  dialog.showModal();
}

// What a person decides holds at once.
document.addEventListener("change", ({ target }) => {
  const field = target instanceof HTMLInputElement ? target : null;
  if (field?.dataset.remember === CONSENT) Promise.resolve(keeping).then(keepCopies);
});
