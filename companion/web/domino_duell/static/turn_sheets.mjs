// @ts-check
/** Which sheet stands under the board, and what is on it. */

import { button, quoted } from "../../shell/static/dom.mjs";
import { JOKER } from "./points.mjs";
import { head, moveLine, movesList, pad, seenList } from "./sheets_of_duel.mjs";
import { drawn, picture, pieceName } from "./stones.mjs";

/** @typedef {import("./duel.mjs").DuelBoard} DuelBoard */

/**
 * What stands under the board now.
 * @param {DuelBoard} board
 * @param {import("./points.mjs").Move | null} move
 */
export function sheet(board, move) {
  const { state, say, hollow, lying } = board;
  if (state.hand) return handSheet(board, state.hand);
  if (state.phase === "start") return startSheet(board);
  if (hollow && lying[hollow]) return stoneSheet(board, hollow, lying[hollow]);
  if (hollow && state.phase === "play") {
    const title = board.stone ? pieceName(say, board.stone) : say("choose.stone", { hollow });
    const lines = move ? moveLine(say, move) : "";
    const points = move?.points ?? 0;
    const laid = say(points === 1 ? "lay.one" : "lay.several", { count: points });
    const edge = board.edge ?? board.shape.byName.get(hollow)?.edge ?? false;
    const buttons =
      `<div class="row duel-confirm">` +
      button("lay", `<span>${move && !move.reason ? laid : say("lay")}</span>`, {
        look: "main grow", off: !move || Boolean(move.reason) }) +
      `${button("edge", `<span>${say("edge")}</span>`, { pressed: edge })}</div>`;
    const off = new Set(Object.values(lying));
    return head(say, title) + lines + buttons + pad(say, off, new Set([board.stone ?? ""]));
  }
  return idleSheet(board);
}

/** @param {DuelBoard} board */
function idleSheet(board) {
  const { state, say } = board;
  if (state.phase === "over") return "";
  if (board.joker) {
    return (
      `<p class="why">${say("joker.placed", { hollow: board.joker })}</p><div class="row">` +
      button("lay-nothing", `<span>${say("joker.lay_nothing")}</span>`) +
      `${button("no-joker", `<span>${say("joker.cancel")}</span>`, { look: "bare" })}</div>`
    );
  }
  const hint = quoted(say("choose.hollow", { name: state.name }));
  const joker = state.jokers && state.takeable.length ? `<p class="soft">${say("joker.hint")}</p>` : "";
  return (
    `<p class="hint">${hint}</p>${joker}` +
    (state.seen ? seenList(say, state.seen) : "") +
    (state.moves ? movesList(say, state.moves) : "")
  );
}

/** @param {DuelBoard} board */
function startSheet(board) {
  const { say, hollow, lying } = board;
  const seen = board.state.seen ? seenList(say, board.state.seen) : "";
  if (!hollow) return `<p class="hint">${say("start.hint")}</p>${seen}`;
  const piece = lying[hollow];
  const others = Object.entries(lying).flatMap(([at, each]) => (at === hollow ? [] : [each]));
  const empty = piece ? button("empty", `<span>${say("start.empty")}</span>`) : "";
  return (
    head(say, piece ? pieceName(say, piece) : say("choose.stone", { hollow }), empty) +
    pad(say, new Set(others), new Set(piece ? [piece] : []))
  );
}

/**
 * @param {DuelBoard} board
 * @param {string} hollow
 * @param {string} piece
 */
function stoneSheet(board, hollow, piece) {
  const { state, say } = board;
  const takes = state.jokers && !board.joker && state.takeable.includes(hollow);
  const take = takes
    ? button("take", `${picture(JOKER)}<span>${say("joker.take")}</span>`, { look: "main" })
    : "";
  const big = `<svg class="piece large" viewBox="-47 -47 94 94" aria-hidden="true">${drawn(piece)}</svg>`;
  return `${head(say, pieceName(say, piece))}<div class="row">${big}${take}</div>`;
}

/**
 * @param {DuelBoard} board
 * @param {import("./duel.mjs").Hand} hand
 */
function handSheet(board, hand) {
  const { say, state } = board;
  const title = say("hand.title", { name: hand.name, count: hand.pieces.length });
  const done = button("hand-done", `<span>${say("hand.done")}</span>`, { look: "main" });
  const jokers = hand.pieces.filter((each) => each === JOKER).length;
  const joker = state.jokers
    ? `<div class="row">${button("stone", `${picture(JOKER)}<span>${say("hand.joker", { count: jokers })}</span>`, { value: JOKER })}</div>`
    : "";
  return (
    `<div class="duel-head"><h2>${quoted(title)}</h2>${done}</div>` +
    joker + pad(say, new Set(Object.values(state.stones)), new Set(hand.pieces))
  );
}
