// @ts-check
/** The board of a game: what is chosen on it, what that would bring, and what was confirmed. */

import { button, morph, quoted, say } from "../../shell/static/markup.mjs";
import { View, readable } from "../../shell/static/window.mjs";
import { Wire } from "../../shell/static/wire.mjs";
import {
  JOKER, PITCH, boundsOf, hollowAt, middleOf, moveOf, nextHollow, shapeOf,
} from "./model.mjs";
import { boardMarkup, sheet } from "./sheets.mjs";

/**
 * @typedef {import("./model.mjs").BoardShape} BoardShape
 */

/** What of the board is shown, so that a tapped hollow stays in sight. */
class BoardView extends View {
  /**
   * @param {HTMLElement} element
   * @param {BoardShape} shape
   */
  constructor(element, shape) {
    super(element, () => {
      const { x, y, width, height } = this.box;
      const viewBox = `${x} ${y} ${width} ${height}`;
      element.querySelector("svg.duel-board")?.setAttribute("viewBox", viewBox);
    });
    this.shape = shape;
    this.wanted = "";
  }

  /** Fits the board to the element; one that was seen whole stays so. */
  fitBoard() {
    const all = this.fitted !== "" && !this.zoomedIn;
    const changed = this.fit(boundsOf(this.shape), all ? 0 : PITCH);
    if (changed && this.wanted) this.showHollow(this.wanted);
  }

  /** Shows the whole board, or what can be tapped well. */
  toggle() {
    this.look(this.zoomedIn ? this.whole : readable(boundsOf(this.shape), this.size, PITCH));
  }

  /**
   * Shows a hollow and all that is around it.
   * @param {string} name
   */
  showHollow(name) {
    this.wanted = name;
    const hollow = this.shape.byName.get(name);
    if (!hollow) return;
    const [x, y] = middleOf(hollow);
    const around = Math.min(PITCH * 1.6, this.box.width / 2, this.box.height / 2);
    this.reveal({ x: x - around, y: y - around, width: 2 * around, height: 2 * around });
  }
}

/**
 * @typedef {{player: number, name: string, pieces: string[]}} Hand
 * @typedef {{
 *   rows: string[], stones: Record<string, string>, phase: "start" | "play" | "over",
 *   name: string, turns: number, jokers: boolean, takeable: string[], last: string | null,
 *   lit: string[], moves: [string, string, number][] | null, hand: Hand | null,
 *   seen: [string, string, boolean][] | null, notice: string | null,
 *   words: Record<string, string>, of?: string, answers?: {client: string, seq: number},
 * }} State
 */

const HAND_SIZE = 7;
const WHOLE =
  '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">' +
  '<path d="M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5"/></svg>';

export class DuelBoard {
  /**
   * @param {HTMLElement} root
   * @param {State} state
   * @param {import("../../shell/static/bridge.mjs").Send} send
   */
  constructor(root, state, send) {
    this.root = root;
    root.className = "surface duel";
    this.state = state;
    this.shape = shapeOf(state.rows);
    /** @type {string | null} the hollow that was tapped */
    this.hollow = null;
    /** @type {string | null} */
    this.stone = null;
    /** @type {boolean | null} */
    this.edge = null;
    /** @type {string | null} a hollow whose stone was taken for a joker in this turn */
    this.joker = null;
    this.focus = this.shape.hollows.find((each) => each.middle)?.name ?? this.shape.hollows[0].name;
    root.innerHTML =
      '<div class="duel-window"><div class="duel-stage"></div><div class="duel-bar"></div></div>' +
      '<div class="duel-sheet stack"></div>';
    const find = (/** @type {string} */ name) =>
      /** @type {HTMLElement} */ (root.querySelector(name));
    this.stage = find(".duel-stage");
    this.bar = find(".duel-bar");
    this.sheet = find(".duel-sheet");
    this.wire = new Wire(send, { keep: state.of, onCondition: () => this.draw() });
    this.view = new BoardView(this.stage, this.shape);
    this.stopListening = this.#listen();
    this.draw();
    this.view.fitBoard();
    this.draw();
    if (state.last) this.view.showHollow(state.last);
  }

  /** @param {State} state */
  receive(state) {
    if (this.wire.receive(state.answers) === "stale") return;
    const { phase, turns } = this.state;
    this.state = state;
    if (state.turns !== turns) this.joker = null;
    if (this.hollow && this.lying[this.hollow] && this.stone) this.close();
    this.draw();
    if (state.phase === "over" && phase === "play") {
      // Who has won stands above the board.
      document.querySelector(".duel-seats")?.scrollIntoView({ block: "start" });
    }
  }

  /** What was done here to the board and is not answered yet; an emptied hollow has no stone. */
  get pending() {
    /** @type {Record<string, string>} */
    const found = {};
    for (const done of this.wire.done) {
      const { kind, hollow, stone, joker } = /** @type {Record<string, string>} */ (
        /** @type {unknown} */ (done));
      if (kind === "lay" || kind === "start") found[hollow] = stone ?? "";
      if (kind === "lay" && joker) found[joker] = JOKER;
      if (kind === "joker") found[hollow] = JOKER;
    }
    return found;
  }

  /** The hand that is being entered, with what was tapped and is not answered yet. */
  get hand() {
    const { hand } = this.state;
    const [newest] = this.wire.done
      .filter(({ kind, player }) => kind === "hand" && player === hand?.player).slice(-1);
    return hand && newest ? { ...hand, pieces: /** @type {string[]} */ (newest.pieces) } : hand;
  }

  /** What lies on the board, with what was done here and is not answered yet. */
  get lying() {
    const { stones } = this.state;
    const taken = this.joker ? { [this.joker]: JOKER } : {};
    return { ...stones, ...this.pending, ...taken };
  }

  /** @type {import("./sheets.mjs").Say} */
  say = (code, values) => say(this.state.words, code, values);

  /** @param {string | null} name */
  choose(name) {
    const hollow = name === null ? undefined : this.shape.byName.get(name);
    if (!hollow || this.state.hand) return;
    this.focus = hollow.name;
    if (this.state.phase === "start" && !hollow.middle) return;
    this.hollow = hollow.name;
    this.edge = null;
    if (this.lying[hollow.name]) this.stone = null;
    this.draw();
    this.view.fitBoard();
    this.view.showHollow(hollow.name);
    this.#uncover();
  }

  /** Scrolls as far that board and pad are seen together on a phone. */
  #uncover() {
    const { bottom } = this.root.getBoundingClientRect();
    if (bottom > innerHeight) this.root.scrollIntoView({ block: "start" });
  }

  close() {
    this.hollow = this.stone = this.edge = null;
    this.draw();
    this.view.wanted = "";
    this.view.fitBoard();
  }

  /** @param {{kind: string} & Record<string, unknown>} done */
  send(done) {
    this.wire.add({ ...done, turns: this.state.turns });
  }

  /**
   * @param {string} what
   * @param {string} value
   */
  act(what, value) {
    if (what === "close") this.close();
    else if (what === "whole") {
      this.view.toggle();
      this.draw();
    } else if (what === "stone") this.#pick(value);
    else if (what === "edge") {
      const now = this.edge ?? this.shape.byName.get(this.hollow ?? "")?.edge ?? false;
      this.edge = now === this.shape.byName.get(this.hollow ?? "")?.edge ? !now : null;
      this.draw();
    } else if (what === "lay") this.#lay();
    else if (what === "empty" && this.hollow) {
      this.send({ kind: "start", hollow: this.hollow, stone: null });
      this.close();
    } else if (what === "take") {
      this.joker = this.hollow;
      this.close();
    } else if (what === "lay-nothing" && this.joker) {
      this.send({ kind: "joker", hollow: this.joker });
      this.joker = null;
      this.close();
    } else if (what === "no-joker") {
      this.joker = null;
      this.close();
    } else if (what === "try") {
      const [hollow, stone] = value.split(" ");
      this.choose(hollow);
      if (!this.lying[hollow] && stone !== JOKER) this.#pick(stone);
    } else if (what === "hand-done") this.send({ kind: "hand-done" });
  }

  /** @param {string} stone */
  #pick(stone) {
    const { hand, state: { phase } } = this;
    if (hand) {
      const there = stone !== JOKER && hand.pieces.includes(stone);
      const pieces = there ? hand.pieces.filter((each) => each !== stone) : [...hand.pieces, stone];
      if (pieces.length > HAND_SIZE) return;
      this.send({ kind: "hand", player: hand.player, pieces });
    } else if (phase === "start" && this.hollow) {
      this.send({ kind: "start", hollow: this.hollow, stone });
      const next = this.shape.hollows.find((each) => each.middle && !this.lying[each.name]);
      if (next) {
        this.hollow = next.name;
        this.focus = next.name;
      } else this.close();
    } else this.stone = stone;
    this.draw();
  }

  #lay() {
    const { hollow, stone, joker, edge } = this;
    if (!hollow || !stone) return;
    this.joker = null;
    this.close();
    this.send({ kind: "lay", hollow, stone, edge, joker });
    this.draw();
  }

  /** @returns {() => void} ends what outlives the element */
  #listen() {
    const stop = this.view.listen(
      { tap: (at) => this.choose(hollowAt(this.shape, this.view.fromScreen(at))?.name ?? null) },
      () => this.view.fitBoard(),
    );
    this.root.addEventListener("click", (event) => {
      const target = /** @type {Element} */ (event.target);
      const key = target.closest("button[data-do]");
      if (key instanceof HTMLElement) this.act(key.dataset.do ?? "", key.dataset.value ?? "");
      // A screen reader clicks without a finger; fingers are heard by the window.
      const hollow = target.closest("[data-hollow]");
      if (hollow && event.detail === 0) this.choose(hollow.getAttribute("data-hollow"));
    });
    this.root.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.hollow) {
        this.close();
        return;
      }
      const at = /** @type {Element} */ (event.target).closest("[data-hollow]");
      const name = at?.getAttribute("data-hollow");
      const hollow = name ? this.shape.byName.get(name) : undefined;
      if (!hollow) return;
      if (event.key.startsWith("Arrow")) {
        event.preventDefault();
        this.focus = nextHollow(this.shape, hollow, event.key);
        this.draw();
        this.view.showHollow(this.focus);
        const next = this.stage.querySelector(`[data-hollow="${this.focus}"]`);
        /** @type {SVGElement | null} */ (next)?.focus({ preventScroll: true });
      } else if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        this.choose(hollow.name);
      }
    });
    return stop;
  }

  /** The move that is being thought of. */
  move() {
    if (!this.hollow || !this.stone || this.state.phase !== "play") return null;
    return moveOf(this.shape, this.lying, this.stone, this.hollow, this.edge);
  }

  draw() {
    const { state, say, lying } = this;
    const move = this.move();
    const tried = move && this.hollow && this.stone ? { [this.hollow]: this.stone } : {};
    const lit = move ? move.groups.flatMap((group) => group.hollows) : state.lit;
    const chosen = this.hollow;
    morph(this.stage, boardMarkup(say, this.shape, { ...lying, ...tried }, {
      chosen,
      focus: this.focus,
      pending: new Set(Object.keys(this.pending)),
      lit: new Set(chosen && !move ? [] : lit),
      takeable: new Set(state.jokers && !this.joker && state.phase === "play" ? state.takeable : []),
      last: state.last,
      doubtful: new Set((state.seen ?? []).flatMap(([hollow, , doubt]) => (doubt ? [hollow] : []))),
      offered: new Set((state.moves ?? []).map(([, hollow]) => hollow)),
      box: this.view.box,
    }));
    const busy = Boolean(chosen) || state.hand !== null;
    this.root.classList.toggle("busy", busy);
    const late = this.wire.condition === "late" ? say("late") : "";
    const notice = state.notice ? `<p class="why no" role="alert">${quoted(state.notice)}</p>` : "";
    morph(this.bar,
      `<p class="small" role="status">${late}</p>` +
      button("whole", WHOLE, { name: say("whole"), pressed: !this.view.zoomedIn }));
    morph(this.sheet, notice + sheet(this, move));
  }

  destroy() {
    this.wire.close();
    this.stopListening();
  }
}

/** @type {import("../../shell/static/bridge.mjs").PartModule["mount"]} */
export const mount = (root, data, send) => new DuelBoard(root, data, send);
