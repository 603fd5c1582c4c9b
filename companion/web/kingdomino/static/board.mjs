// @ts-check
/**
 * The board: its state, what can be done to it, what is shown of it, and where it lives on a page.
 */

import { morph, say, sayCount } from "../../shell/static/markup.mjs";
import { Wire } from "../../shell/static/wire.mjs";
import { endStroke, listenTo, startCorners, startStroke, stroke } from "./actions.mjs";
import { History, differences } from "./history.mjs";
import * as model from "./kingdom.mjs";
import { doubtsOf, formatKingdom, isAsked, latticePlace, pointsOf, territoriesOf } from "./kingdom.mjs";
import { changeOf, complete, openOf, pastOf, sameSnapshot, snapshotOf } from "./messages.mjs";
import { RollingNumber, header, sheetOf, toolbar, zoomButtons } from "./sheets.mjs";
import { Stage, holdStill, watchPage } from "./stage.mjs";

/**
 * @typedef {import("./messages.mjs").Change} Change
 * @typedef {import("./messages.mjs").Dossier} Dossier
 * @typedef {import("./messages.mjs").Place} Place
 * @typedef {import("./messages.mjs").Score} Score
 * @typedef {import("./messages.mjs").Snapshot} Snapshot
 * @typedef {import("./messages.mjs").State} State
 */

/** @type {Map<string, Dossier>} */
const dossiers = new Map();

/**
 * @param {HTMLElement} root
 * @param {State} data
 * @param {import("../../shell/static/bridge.mjs").Send} send
 */
export function mount(root, data, send) {
  root.className = "board-place";
  const inner = root.appendChild(document.createElement("div"));
  /** @type {Board | null} */
  let board = null;
  const receive = (/** @type {State} */ state) => {
    if (state.dossier) dossiers.set(state.dossier.id, state.dossier);
    const dossier = dossiers.get(state.dossierId);
    if (!dossier) {
      // The server thinks that this page has it already; after a reload it hasn't.
      send({ has: null });
    } else if (board) {
      board.receive({ ...state, dossier });
    } else {
      board = new Board(inner, { ...state, dossier }, send);
      if (state.setsCorners) startCorners(board);
      else if (state.paints) board.startPainting();
    }
  };
  receive(data);
  return { receive, destroy: () => board?.destroy() };
}

/**
 * @typedef {"rest" | "square" | "doubts" | "paint" | "size" | "corners"} Mode
 */

/** How long it is seen what changed elsewhere, or was taken back. */
export const NEWS_MS = 6000;

const SHELL =
  '<svg class="symbols" width="0" height="0" aria-hidden="true"><defs></defs></svg><header></header><div class="stage"><svg class="scene"></svg><svg class="hidden"><g ' +
  'class="corner-layer"></g></svg><div class="glass"></div><p class="news" role="status"></p></div><div class="zooms"></div>' +
  '<div class="below"><div class="bar"></div><div class="panel"></div></div>' +
  '<div class="live" role="status" aria-live="polite"></div>';

/**
 * Where the squares of a reading lie, "" without one.
 * @param {Dossier} dossier
 */
function latticeOf({ reading }) {
  return reading ? reading.homography.join() : "";
}

export class Board {
  /**
   * @param {HTMLElement} root an empty element to draw in
   * @param {State} state the first state, with its dossier
   * @param {(change: Change) => void} send
   */
  constructor(root, state, send) {
    this.root = root;
    this.state = complete(state);
    this.dossier = /** @type {Dossier} */ (state.dossier);
    this.open = openOf(this.state);
    this.history = new History(snapshotOf(state), pastOf(state));
    /** @type {Set<string>} places on the lattice that changed without a tap on them */
    this.fresh = new Set();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.fading = undefined;
    /** @type {number} the revision that the kingdom here is built on */
    this.base = state.revision;
    /** @type {Wire<import("./messages.mjs").Built>} */
    this.wire = new Wire(send, {
      keep: state.of,
      more: () => changeOf(
        this.base, this.dossier, this.snapshot, this.waiting ? this.corners : null),
      onCondition: (now, before) => {
        if (now === "late" || before === "late") this.render();
      },
    });
    const { left } = this.wire;
    if (left) {
      this.base = left.base;
      const there = snapshotOf(left);
      if (!sameSnapshot(there, this.snapshot)) this.history.push(there);
    }
    /** @type {Mode} */
    this.mode = "rest";
    /** @type {Place | null} */
    this.selected = null;
    /** @type {Place} */
    this.focused = [0, 0];
    this.brush = "w";
    this.onPhoto = this.dossier.reading !== null && this.dossier.photo !== null;
    this.crops = false;
    /** @type {string | null} */
    this.lit = null;
    /** @type {import("./corners.mjs").Corners | null} */
    this.corners = null;
    this.waiting = false;
    /** How often it was drawn, so that nothing is drawn twice for one tap. */
    this.renders = 0;
    /** @type {Mode} */
    this.uncovered = "rest";
    /** @type {{before: Snapshot, places: Place[]} | null} */
    this.strokes = null;
    root.className = "board";
    Object.assign(root, { board: this });
    root.innerHTML = SHELL;
    /** @type {(name: string) => HTMLElement} */
    const part = (name) => /** @type {HTMLElement} */ (root.querySelector(name));
    this.header = part("header");
    this.bar = part(".bar");
    this.panel = part(".panel");
    this.live = part(".live");
    part("defs").innerHTML = this.dossier.symbols;
    this.news = part(".news");
    part(".zooms").innerHTML = zoomButtons(this.dossier.words);
    this.stage = new Stage(part(".stage"), {
      paints: () => this.mode === "paint",
      tap: (place) => (place ? this.select(place) : this.close()),
      start: (place) => startStroke(this, place),
      stroke: (place) => stroke(this, place),
      end: (kept) => endStroke(this, kept),
      cornersMoved: () => this.render(),
    });
    listenTo(this);
    this.unwatch = watchPage(root, () => this.#uncover());
    this.total = this.#points();
    this.noticed = this.state.notice;
    this.render();
    this.number = new RollingNumber(part(".number"));
    this.number.show(this.total, true);
  }

  get snapshot() {
    return this.history.present;
  }

  get words() {
    return this.dossier.words;
  }

  /** Whether a finger paints or corners are read, so that nothing else changes the kingdom. */
  get busy() {
    return this.waiting || this.strokes !== null;
  }

  get doubts() {
    return doubtsOf(this.snapshot, this.dossier.reading, this.open);
  }

  /**
   * An answer of the server. What is here and not answered yet is newer than anything in it.
   * @param {State} state
   */
  receive(state) {
    const received = this.wire.receive(state.answers);
    if (received === "stale") return;
    this.state = complete(state);
    this.open = openOf(this.state);
    const known = this.base;
    const idle = received === "idle";
    if (idle || this.wire.last?.kingdom === state.kingdom) this.base = state.revision;
    if (!idle) return;
    const [asked, dossierId] = [this.waiting, this.dossier.id];
    const lattice = latticeOf(this.dossier);
    if (state.dossier && state.dossier.id !== this.dossier.id) {
      const hadPhoto = this.dossier.reading !== null && this.dossier.photo !== null;
      this.dossier = state.dossier;
      if (asked || !hadPhoto) this.onPhoto = this.dossier.reading !== null;
      // It was deleted, as all photos are in the end.
      this.onPhoto &&= this.dossier.photo !== null;
    }
    const next = snapshotOf(state);
    // What is painted just now is no change yet.
    if (!sameSnapshot(next, this.strokes?.before ?? this.snapshot)) {
      endStroke(this, false);
      // Squares of another reading lie elsewhere on the photo: no step here leads back to them.
      if (lattice !== latticeOf(this.dossier)) {
        this.history = new History(next, pastOf(state));
      } else if (state.mine && state.revision === known + 1 && !this.wire.last) {
        // Done on this phone, on another part of the page.
        this.history.push(next);
      } else {
        const count = this.#mark(differences(this.snapshot, next));
        this.history.arrive(next);
        if (count) this.#tell(sayCount(this.words, "news.others", count));
      }
    }
    this.waiting = false;
    if (asked && this.dossier.id !== dossierId) {
      this.corners = null;
      this.mode = this.doubts.length ? "doubts" : "rest";
      this.selected = this.doubts[0] ?? null;
    }
    this.#keepPlaces();
    this.render();
  }

  destroy() {
    this.unwatch();
    clearTimeout(this.fading);
    document.documentElement.removeAttribute("data-sheet");
    this.stage.close();
    this.wire.close();
  }

  /**
   * @param {string} kind
   * @param {Snapshot} next
   * @param {{squares?: Place[], value?: string}} [what]
   */
  act(kind, next, what = {}) {
    if (this.busy || sameSnapshot(next, this.snapshot)) return;
    this.history.push(next);
    this.#changed(kind, what);
  }

  /**
   * @param {string} kind
   * @param {{squares?: Place[], value?: string}} [what]
   */
  #changed(kind, what = {}) {
    this.#keepPlaces();
    this.lit = null;
    this.#forget();
    this.render();
    this.wire.add({ kind, ...what });
  }

  /** A square that is gone is neither chosen nor in focus any more, one that is settled no doubt. */
  #keepPlaces() {
    if (!model.holds(this.snapshot, this.focused)) this.focused = [0, 0];
    if (this.selected && !model.holds(this.snapshot, this.selected)) this.selected = null;
    if (this.mode === "square" || this.mode === "doubts")
      this.mode = this.selected ? this.#modeOf(this.selected) : "rest";
  }

  /**
   * How a chosen square is shown: as one of the doubts only while they are gone through.
   * @param {Place} place
   * @returns {Mode}
   */
  #modeOf(place) {
    const isDoubt = this.doubts.some((each) => String(each) === String(place));
    return this.mode === "doubts" && isDoubt ? "doubts" : "square";
  }

  undo() {
    if (this.busy || !this.history.past.length) return;
    const before = this.snapshot;
    const step = this.history.undo();
    if (step && "change" in step) {
      this.waiting = true;
      this.render();
      this.wire.add({ kind: "undo", change: step.change });
    } else this.#stepped("undo", step, before);
  }

  redo() {
    if (this.busy || !this.history.future.length) return;
    const before = this.snapshot;
    this.#stepped("redo", this.history.redo(), before);
  }

  /**
   * @param {"undo" | "redo"} kind
   * @param {import("./history.mjs").Step | null} step
   * @param {Snapshot} before
   */
  #stepped(kind, step, before) {
    if (!step) {
      this.#tell(say(this.words, "news.overtaken"));
      this.render();
      return;
    }
    this.#changed(kind);
    this.#mark(differences(before, this.snapshot));
    this.#tell(say(this.words, `news.${kind}`, { what: this.#named(step) }));
    this.render();
  }

  /**
   * What a step changed, in words.
   * @param {import("./history.mjs").Step | import("./history.mjs").ReadAnew | undefined} step
   */
  #named(step) {
    if (!step) return "";
    if ("change" in step) return say(this.words, "step.read");
    const count = differences(step.before, step.after).size;
    return count ? sayCount(this.words, "squares", count) : say(this.words, "step.frame");
  }

  /**
   * Marks squares that became different without a tap on them; how many they are.
   * @param {Set<string>} places on the lattice
   */
  #mark(places) {
    this.fresh = places;
    return places.size;
  }

  /** @param {string} words */
  #tell(words) {
    this.news.textContent = words;
    clearTimeout(this.fading);
    this.fading = setTimeout(() => {
      this.#forget();
      this.render();
    }, NEWS_MS);
  }

  #forget() {
    clearTimeout(this.fading);
    this.fresh = new Set();
    if (this.news.textContent) this.news.textContent = "";
  }

  startPainting() {
    this.mode = "paint";
    this.render();
  }

  /** @param {Place} place */
  select(place) {
    if (this.waiting) return;
    this.mode = this.#modeOf(place);
    this.selected = this.focused = place;
    this.lit = null;
    this.stage.reveal(place);
    this.uncovered = "rest";
    this.render();
  }

  close() {
    if (this.mode === "rest" && !this.lit) return;
    this.mode = "rest";
    this.selected = this.corners = this.lit = null;
    this.waiting = false;
    this.render();
  }

  /** @param {Place} place */
  cell([row, column]) {
    return this.snapshot.rows[row][column];
  }

  #territories() {
    return territoriesOf(this.snapshot.rows);
  }

  /** The score of the server where it is of this very kingdom, else the one counted here. */
  #points() {
    const { score, kingdom } = this.state;
    if (score && kingdom === formatKingdom(this.snapshot.rows)) return score.points;
    const bonuses = (score?.bonuses ?? []).reduce((sum, { points }) => sum + points, 0);
    return pointsOf(this.#territories()) + bonuses;
  }

  shown() {
    const corners = this.corners !== null;
    const territories = corners || this.strokes ? [] : this.#territories();
    return {
      snapshot: this.snapshot,
      dossier: this.dossier,
      photo: this.onPhoto || corners,
      crops: this.crops,
      selected: this.selected,
      focused: this.focused,
      doubts: corners ? [] : this.doubts,
      asked: this.#places((place) => isAsked(this.snapshot, place, this.open)),
      fresh: this.#places((place) => this.fresh.has(String(latticePlace(this.snapshot.frame, place)))),
      territories,
      lit: this.#litSquares(territories),
    };
  }

  /** @param {(place: Place) => boolean} wanted */
  #places(wanted) {
    return this.snapshot.rows.flatMap((row, r) =>
      row.map((_, c) => /** @type {Place} */ ([r, c])).filter(wanted));
  }

  /** @param {import("./messages.mjs").Territory[]} territories */
  #litSquares(territories) {
    if (!this.lit) return [];
    const index = Number(this.lit.slice(1));
    const sources = this.lit[0] === "t" ? territories : (this.state.score?.bonuses ?? []);
    return sources[index]?.squares ?? [];
  }

  #uncover() {
    if (this.mode !== "rest") this.stage.uncover(this.selected, this.panel);
  }

  render() {
    this.renders += 1;
    const points = this.#points();
    const shown = this.shown();
    const head = header({
      words: this.words, title: this.state.title, colour: this.state.colour, points,
      canUndo: this.history.past.length > 0, canRedo: this.history.future.length > 0,
      undoes: this.#named(this.history.past.at(-1)),
      condition: this.wire.condition, notice: this.state.notice,
    });
    if (this.state.notice === this.noticed) morph(this.header, head);
    else holdStill(this.stage.element, () => morph(this.header, head));
    this.noticed = this.state.notice;
    this.root.dataset.mode = this.mode;
    // What the page has within the thumb's reach makes room for a sheet.
    document.documentElement.toggleAttribute("data-sheet", this.mode !== "rest");
    this.stage.draw(shown, this.corners);
    const photo = this.dossier.photo !== null && this.dossier.reading !== null;
    morph(this.bar, toolbar({
      words: this.words, doubts: shown.doubts.length, photo, onPhoto: this.onPhoto,
      mode: this.mode }));
    morph(this.panel, sheetOf(this, shown));
    if (this.mode !== this.uncovered) this.#uncover();
    this.uncovered = this.mode;
    if (this.number && !this.strokes) {
      this.number.show(points);
      if (points !== this.total) this.live.textContent = sayCount(this.words, "points.live", points);
      this.total = points;
    }
  }
}
