// @ts-check
/**
 * The kingdom on the board: its notation, what can be done to it, where it lies on the photo, its
 * points, what is in doubt. No page needed; every function gives a new snapshot and changes nothing.
 */

/**
 * @typedef {import("./messages.mjs").Frame} Frame
 * @typedef {import("./messages.mjs").Open} Open
 * @typedef {import("./messages.mjs").Place} Place
 * @typedef {import("./messages.mjs").Point} Point
 * @typedef {import("./messages.mjs").Reading} Reading
 * @typedef {import("./messages.mjs").Side} Side
 * @typedef {import("./messages.mjs").Snapshot} Snapshot
 * @typedef {import("./messages.mjs").Square} Square
 * @typedef {import("./messages.mjs").Territory} Territory
 */

export const TERRAINS = ["w", "f", "l", "g", "s", "m"];
export const MAX_CROWNS = 3;
export const MAX_SIDE = 9;
export const MAX_BY_HAND = 99;
export const CHARACTERS = [
  "farmer", "lumberjack", "fisherman", "shepherdess", "banker", "queen", "king", "captain",
  "axe-warrior", "sword-warrior", "light-archer", "heavy-archer",
];
export const EMPTY = ".";
export const CASTLE = "c";
/** What people said of a square: nothing is 0; insisted on is what the box says otherwise. */
export const SETTLED = 1;
export const INSISTED = 2;

/**
 * The square of a notation; null for any other text.
 * @param {string} text
 * @returns {Square | null}
 */
export function parseSquare(text) {
  if (text === EMPTY || text === CASTLE) {
    return { terrain: null, crowns: 0, giants: 0, castle: text === CASTLE, piece: "" };
  }
  const found = /^([wflgsm])([123]?)(!{0,3})$/.exec(text);
  if (found) {
    const [crowns, giants] = [Number(found[2] || 0), found[3].length];
    return giants > crowns ? null : { terrain: found[1], crowns, giants, castle: false, piece: "" };
  }
  const laid = /^([wflgsm])(\*|\+[12]|:[a-z-]+(?::(?:0|[1-9]\d?))?)$/.exec(text);
  if (!laid || (laid[2] === "*" && !hasTokens(laid[1]))) return null;
  if (laid[2][0] === ":" && !CHARACTERS.includes(laid[2].split(":")[1])) return null;
  return { terrain: laid[1], crowns: 0, giants: 0, castle: false, piece: laid[2] };
}

/**
 * Whether squares of the terrain get a token of The Court.
 * @param {string} terrain
 */
export function hasTokens(terrain) {
  return "wflg".includes(terrain);
}

/**
 * What a piece of The Court is: a character, its points by hand, or the crowns of a building.
 * @param {string} piece as in the notation: `*`, `+2`, `:queen`, `:queen:7`
 */
export function pieceParts(piece) {
  const [, character = "", byHand] = piece.split(":");
  return {
    character,
    byHand: byHand === undefined ? null : Number(byHand),
    crowns: piece[0] === "+" ? Number(piece[1]) : 0,
  };
}

/**
 * @param {string} terrain
 * @param {number} crowns
 * @param {number} [giants]
 */
export function squareText(terrain, crowns, giants = 0) {
  return `${terrain}${crowns || ""}${"!".repeat(Math.min(giants, crowns))}`;
}

/**
 * Rows of squares; null where the text is no kingdom or has more than 9 rows or columns.
 * @param {string} text
 * @returns {string[][] | null}
 */
export function parseKingdom(text) {
  const rows = text.split("/").map((line) => line.trim().split(/\s+/));
  const width = rows[0].length;
  const fits = rows.length <= MAX_SIDE && width <= MAX_SIDE;
  const good = rows.every((row) => row.length === width && row.every((cell) => parseSquare(cell)));
  return fits && good ? rows : null;
}

/** @param {string[][]} rows */
export function formatKingdom(rows) {
  return rows.map((row) => row.join(" ")).join("/");
}

/** @type {[number, number, number, number][]} */
const TURNS = [
  [1, 0, 0, 1],
  [0, -1, 1, 0],
  [-1, 0, 0, -1],
  [0, 1, -1, 0],
];

/** @type {Frame} */
export const AS_READ = { turns: 0, row: 0, column: 0 };

/**
 * The lattice row and column of a square of the board.
 * @param {Frame} frame
 * @param {Place} place
 * @returns {Place}
 */
export function latticePlace(frame, [row, column]) {
  const [a, b, c, d] = TURNS[frame.turns];
  return [a * row + b * column + frame.row, c * row + d * column + frame.column];
}

/**
 * The lattice point (x, y) of a point of the board, whole numbers at the corners of squares.
 * @param {Frame} frame
 * @param {Point} point
 * @returns {Point}
 */
export function latticePoint(frame, [x, y]) {
  const [row, column] = latticePlace(frame, [y - 0.5, x - 0.5]);
  return [column + 0.5, row + 0.5];
}

/**
 * The frame after so many rows and columns were added at the top and the left.
 * @param {Frame} frame
 * @param {number} rows
 * @param {number} columns
 * @returns {Frame}
 */
export function shiftedFrame(frame, rows, columns) {
  const [row, column] = latticePlace(frame, [-rows, -columns]);
  return { turns: frame.turns, row, column };
}

/**
 * The frame after a board of so many rows was turned clockwise.
 * @param {Frame} frame
 * @param {number} height
 * @returns {Frame}
 */
export function turnedFrame(frame, height) {
  const [row, column] = latticePlace(frame, [height - 1, 0]);
  return { turns: (frame.turns + 1) % 4, row, column };
}

/**
 * @param {Snapshot} snapshot
 * @param {Place} place
 */
export function holds({ rows }, [row, column]) {
  return row >= 0 && column >= 0 && row < rows.length && column < rows[0].length;
}

/**
 * The snapshot with these squares set, which settles them. Who sets what somebody insists on anyway
 * changes nothing.
 * @param {Snapshot} snapshot
 * @param {Place[]} places
 * @param {string} value
 * @returns {Snapshot}
 */
export function withSquares(snapshot, places, value) {
  const rows = snapshot.rows.map((row) => [...row]);
  const settled = snapshot.settled.map((row) => [...row]);
  for (const place of places) {
    if (!holds(snapshot, place) || !parseSquare(value)) continue;
    const [row, column] = place;
    const insists = rows[row][column] === value && settled[row][column] === INSISTED;
    // There is one castle: set anew, it has moved, and nobody insists on where it was.
    if (value === CASTLE) {
      forEachCastle(rows, (r, c) => {
        rows[r][c] = EMPTY;
        settled[r][c] = Math.min(settled[r][c], SETTLED);
      });
    }
    rows[row][column] = value;
    settled[row][column] = insists ? INSISTED : SETTLED;
  }
  return { ...snapshot, rows, settled };
}

/**
 * @param {string[][]} rows
 * @param {(row: number, column: number) => void} found
 */
function forEachCastle(rows, found) {
  rows.forEach((cells, row) =>
    cells.forEach((cell, column) => { if (cell === CASTLE) found(row, column); }));
}

/**
 * The snapshot with a square that a person found right; who is asked because of the box insists on it.
 * @param {Snapshot} snapshot
 * @param {Place} place
 * @param {Open} [open]
 */
export function confirmed(snapshot, place, open) {
  const [row, column] = place;
  const next = withSquares(snapshot, [place], snapshot.rows[row][column]);
  if (isAsked(snapshot, place, open)) next.settled[row][column] = INSISTED;
  return next;
}

/**
 * One more empty line on a side, up to 9.
 * @param {Snapshot} snapshot
 * @param {Side} side
 * @returns {Snapshot}
 */
export function withLine(snapshot, side) {
  const { rows, frame } = snapshot;
  const across = side === "top" || side === "bottom";
  if ((across ? rows.length : rows[0].length) >= MAX_SIDE) return snapshot;
  const first = side === "top" || side === "left";
  return {
    rows: extended(rows, across, first, EMPTY),
    settled: extended(snapshot.settled, across, first, 0),
    frame: first ? shiftedFrame(frame, across ? 1 : 0, across ? 0 : 1) : frame,
  };
}

/**
 * Without the line on a side; the last line stays.
 * @param {Snapshot} snapshot
 * @param {Side} side
 * @returns {Snapshot}
 */
export function withoutLine(snapshot, side) {
  const { rows, frame } = snapshot;
  const across = side === "top" || side === "bottom";
  if ((across ? rows.length : rows[0].length) <= 1) return snapshot;
  const first = side === "top" || side === "left";
  return {
    rows: shortened(rows, across, first),
    settled: shortened(snapshot.settled, across, first),
    frame: first ? shiftedFrame(frame, across ? -1 : 0, across ? 0 : -1) : frame,
  };
}

/**
 * The squares moved by one towards a side; nothing moves where that would lose a square.
 * @param {Snapshot} snapshot
 * @param {Side} side
 * @returns {Snapshot}
 */
export function moved(snapshot, side) {
  const { rows } = snapshot;
  const line = {
    top: rows[0],
    bottom: rows[rows.length - 1],
    left: rows.map((row) => row[0]),
    right: rows.map((row) => row[row.length - 1]),
  }[side];
  if (line.some((cell) => cell !== EMPTY)) return snapshot;
  const opposite = /** @type {Record<Side, Side>} */ ({
    top: "bottom", bottom: "top", left: "right", right: "left",
  })[side];
  const across = side === "top" || side === "bottom";
  const first = side === "top" || side === "left";
  // Shortened before extended, so that a board of the largest size moves too.
  if ((across ? rows.length : rows[0].length) === 1) return snapshot;
  const shorter = {
    rows: shortened(rows, across, first),
    settled: shortened(snapshot.settled, across, first),
    frame: first
      ? shiftedFrame(snapshot.frame, across ? -1 : 0, across ? 0 : -1)
      : snapshot.frame,
  };
  return withLine(shorter, opposite);
}

/**
 * Turned by 90 degrees clockwise.
 * @param {Snapshot} snapshot
 * @returns {Snapshot}
 */
export function turned({ rows, settled, frame }) {
  return {
    rows: clockwise(rows),
    settled: clockwise(settled),
    frame: turnedFrame(frame, rows.length),
  };
}

/**
 * Every square empty.
 * @param {Snapshot} snapshot
 * @returns {Snapshot}
 */
export function cleared(snapshot) {
  return {
    ...snapshot,
    rows: snapshot.rows.map((row) => row.map(() => EMPTY)),
    settled: snapshot.settled.map((row) => row.map(() => SETTLED)),
  };
}

/**
 * What a key does to a square: a letter sets the terrain, a digit the crowns, `!` the next number
 * of giants. Null for a key that does nothing.
 * @param {string} cell
 * @param {string} key
 * @returns {string | null}
 */
export function afterKey(cell, key) {
  const square = parseSquare(cell);
  const letter = key.toLowerCase();
  if (!square) return null;
  if (key === "Delete" || key === "Backspace" || key === ".") return EMPTY;
  if (letter === "c") return CASTLE;
  if (/^[wflgsm]$/.test(letter)) return letter === square.terrain ? null : letter;
  if (square.terrain === null) return null;
  if (/^[0-3]$/.test(key)) return squareText(square.terrain, Number(key), square.giants);
  if (key === "!") {
    return squareText(square.terrain, square.crowns, (square.giants + 1) % (square.crowns + 1));
  }
  return null;
}

/**
 * @template T
 * @param {T[][]} table
 * @param {boolean} across
 * @param {boolean} first
 * @param {T} filling
 * @returns {T[][]}
 */
function extended(table, across, first, filling) {
  if (!across) return table.map((row) => (first ? [filling, ...row] : [...row, filling]));
  const line = table[0].map(() => filling);
  return first ? [line, ...table] : [...table, line];
}

/**
 * @template T
 * @param {T[][]} table
 * @param {boolean} across
 * @param {boolean} first
 * @returns {T[][]}
 */
function shortened(table, across, first) {
  const [start, end] = first ? [1, undefined] : [0, -1];
  return across ? table.slice(start, end) : table.map((row) => row.slice(start, end));
}

/**
 * @template T
 * @param {T[][]} table
 * @returns {T[][]}
 */
function clockwise(table) {
  return table[0].map((_, column) => table.map((row) => row[column]).reverse());
}

/**
 * All territories, most points first, then the larger ones, then from the top left.
 * @param {string[][]} rows
 * @returns {Territory[]}
 */
export function territoriesOf(rows) {
  const squares = rows.map((row) => row.map((cell) => parseSquare(cell)));
  const seen = rows.map((row) => row.map(() => false));
  /** @type {Territory[]} */
  const found = [];
  for (let row = 0; row < rows.length; row++) {
    for (let column = 0; column < rows[0].length; column++) {
      const terrain = squares[row][column]?.terrain;
      if (!terrain || seen[row][column]) continue;
      seen[row][column] = true;
      /** @type {Place[]} */
      const joined = [[row, column]];
      for (const [r, c] of joined) { // grows while it is walked
        for (const [y, x] of [[r - 1, c], [r, c - 1], [r, c + 1], [r + 1, c]]) {
          if (squares[y]?.[x]?.terrain !== terrain || seen[y][x]) continue;
          seen[y][x] = true;
          joined.push([y, x]);
        }
      }
      joined.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      let [crowns, covered] = [0, 0];
      for (const [r, c] of joined) {
        const square = squares[r][c];
        covered += square?.giants ?? 0;
        crowns += (square?.crowns ?? 0) - (square?.giants ?? 0);
        crowns += pieceParts(square?.piece ?? "").crowns;
      }
      const points = crowns * joined.length;
      found.push({ terrain, squares: joined, crowns, covered, points });
    }
  }
  return found.sort((a, b) => b.points - a.points || b.squares.length - a.squares.length);
}

/** @param {Territory[]} territories */
export function pointsOf(territories) {
  return territories.reduce((sum, territory) => sum + territory.points, 0);
}

/**
 * What was read on a square of the board; undefined outside the lattice.
 * @param {Snapshot} snapshot
 * @param {Reading | null} reading
 * @param {Place} place
 */
export function readAt(snapshot, reading, place) {
  const [row, column] = latticePlace(snapshot.frame, place);
  return reading?.rows[row]?.[column];
}

/**
 * The squares that still deserve a look, row by row: those in doubt that nobody has settled, and
 * those where the box says otherwise than what stands.
 * @param {Snapshot} snapshot
 * @param {Reading | null} reading
 * @param {Open} [open]
 * @returns {Place[]}
 */
export function doubtsOf(snapshot, reading, open) {
  if (!reading) return [];
  return snapshot.settled.flatMap((row, r) =>
    row.flatMap((settled, c) => {
      const place = /** @type {Place} */ ([r, c]);
      const known = open?.[String(latticePlace(snapshot.frame, place))];
      const doubtful = Boolean(known) || readAt(snapshot, reading, place)?.doubtful;
      return (doubtful && !settled) || isAsked(snapshot, place, open) ? [place] : [];
    }),
  );
}

/**
 * Whether the box says otherwise than what stands on a square, because of what people set, and
 * nobody insists on it.
 * @param {Snapshot} snapshot
 * @param {Place} place
 * @param {Open} [open]
 */
export function isAsked(snapshot, place, open) {
  const [row, column] = place;
  const known = open?.[String(latticePlace(snapshot.frame, place))];
  if (!known?.asked || snapshot.settled[row][column] === INSISTED) return false;
  return known.stands === snapshot.rows[row][column];
}

/**
 * Other squares that may lie there, the more probable first.
 * @param {Snapshot} snapshot
 * @param {Reading | null} reading
 * @param {Place} place
 * @param {Open} [open]
 * @returns {string[]}
 */
export function offersAt(snapshot, reading, place, open) {
  const read = readAt(snapshot, reading, place);
  const now = snapshot.rows[place[0]][place[1]];
  const known = open?.[String(latticePlace(snapshot.frame, place))];
  const labels = [...(known?.offers ?? []), ...(read ? [read.label, read.runnerUp] : [])];
  return [...new Set(labels)].filter(
    /** @returns {label is string} */ (label) =>
      label !== null && label !== now && parseSquare(label) !== null,
  );
}

/**
 * The doubt after a place, round to the first; null where there is none.
 * @param {Place[]} doubts
 * @param {Place | null} place
 * @param {1 | -1} [step]
 * @returns {Place | null}
 */
export function neighbourDoubt(doubts, place, step = 1) {
  if (!doubts.length) return null;
  if (!place) return doubts[0];
  const order = step === 1 ? doubts : [...doubts].reverse();
  const beyond = order.find(
    ([row, column]) => step * (row - place[0] || column - place[1]) > 0,
  );
  return beyond ?? order[0];
}
