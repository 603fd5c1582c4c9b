// @ts-check
/** Planes seen by a camera, and the outlines of groups of squares. */

/**
 * @typedef {import("./messages.mjs").Box} Box
 * @typedef {import("./messages.mjs").Homography} Homography
 * @typedef {import("./messages.mjs").Place} Place
 * @typedef {import("./messages.mjs").Point} Point
 */

/**
 * Where a homography takes a point.
 * @param {Homography} h
 * @param {Point} point
 * @returns {Point}
 */
export function project(h, [x, y]) {
  const depth = h[6] * x + h[7] * y + h[8];
  return [(h[0] * x + h[1] * y + h[2]) / depth, (h[3] * x + h[4] * y + h[5]) / depth];
}

/**
 * The homography that takes a rectangle of so many columns and rows to four corners, clockwise
 * from the top left. Source: Heckbert, "Fundamentals of Texture Mapping", section 2.2.3.
 * @param {number} width
 * @param {number} height
 * @param {Point[]} corners
 * @returns {Homography}
 */
export function homographyOf(width, height, [[x0, y0], [x1, y1], [x2, y2], [x3, y3]]) {
  const [dx1, dx2, dx3] = [x1 - x2, x3 - x2, x0 - x1 + x2 - x3];
  const [dy1, dy2, dy3] = [y1 - y2, y3 - y2, y0 - y1 + y2 - y3];
  const scale = dx1 * dy2 - dx2 * dy1;
  const g = (dx3 * dy2 - dx2 * dy3) / scale;
  const i = (dx1 * dy3 - dx3 * dy1) / scale;
  return [
    (x1 - x0 + g * x1) / width, (x3 - x0 + i * x3) / height, x0,
    (y1 - y0 + g * y1) / width, (y3 - y0 + i * y3) / height, y0,
    g / width, i / height, 1,
  ];
}

/**
 * @param {Homography} h
 * @returns {Homography}
 */
export function inverse([a, b, c, d, e, f, g, h, i]) {
  return [
    e * i - f * h, c * h - b * i, b * f - c * e,
    f * g - d * i, a * i - c * g, c * d - a * f,
    d * h - e * g, b * g - a * h, a * e - b * d,
  ];
}

/**
 * Whether four corners go round a convex area clockwise on the screen, each clearly bent.
 * @param {Point[]} corners
 */
export function isConvex(corners) {
  return corners.every(([x, y], index) => {
    const [nextX, nextY] = corners[(index + 1) % 4];
    const [lastX, lastY] = corners[(index + 3) % 4];
    const [ax, ay, bx, by] = [x - lastX, y - lastY, nextX - x, nextY - y];
    const sine = (ax * by - ay * bx) / (Math.hypot(ax, ay) * Math.hypot(bx, by));
    return sine > 0.05;
  });
}

/**
 * The smallest box round points.
 * @param {Point[]} points
 * @returns {Box}
 */
export function boxAround(points) {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/**
 * The outlines of a group of squares as closed loops of corner points (x = column, y = row).
 * @param {Place[]} places
 * @returns {Point[][]}
 */
export function outlinesOf(places) {
  const inside = new Set(places.map(String));
  /** @type {Map<string, Point[]>} */
  const edges = new Map();
  /** @type {(from: Point, to: Point) => void} */
  const add = (from, to) => {
    edges.set(String(from), [...(edges.get(String(from)) ?? []), to]);
  };
  for (const [row, column] of places) {
    if (!inside.has(`${row - 1},${column}`)) add([column, row], [column + 1, row]);
    if (!inside.has(`${row},${column + 1}`)) add([column + 1, row], [column + 1, row + 1]);
    if (!inside.has(`${row + 1},${column}`)) add([column + 1, row + 1], [column, row + 1]);
    if (!inside.has(`${row},${column - 1}`)) add([column, row + 1], [column, row]);
  }
  /** @type {Point[][]} */
  const loops = [];
  while (edges.size) {
    const start = /** @type {string} */ (edges.keys().next().value);
    /** @type {Point[]} */
    const loop = [];
    let at = start;
    do {
      const next = edges.get(at) ?? [];
      const to = /** @type {Point} */ (next.pop());
      if (!next.length) edges.delete(at);
      loop.push(to);
      at = String(to);
    } while (at !== start);
    loops.push(loop);
  }
  return loops;
}

/**
 * The affine map (a, b, c, d, e, f of SVG) that takes three corners of a square of the photo,
 * top left, top right and bottom left, to the unit square times `side`.
 * @param {Point[]} corners
 * @param {number} side
 */
export function cropTransform([[x0, y0], [x1, y1], [x2, y2]], side) {
  const [ux, uy, vx, vy] = [x1 - x0, y1 - y0, x2 - x0, y2 - y0];
  const scale = side / (ux * vy - uy * vx);
  const [a, b, c, d] = [vy * scale, -uy * scale, -vx * scale, ux * scale];
  return [a, b, c, d, -(a * x0 + c * y0), -(b * x0 + d * y0)];
}
