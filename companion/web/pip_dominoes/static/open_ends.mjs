// @ts-check
/** The points of open ends, held against the rules by a test. */

const DIVISOR = 5;

/**
 * Their total where five divides it.
 * @param {number[]} values
 */
export function endsPoints(values) {
  const total = values.reduce((sum, each) => sum + each, 0);
  return total % DIVISOR ? 0 : total;
}
