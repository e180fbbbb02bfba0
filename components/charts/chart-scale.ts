const STEPS = [1, 2, 4, 6, 8, 10];

/** The upper end of a chart's axis: a round number that is at least `max`, and 1 for an empty chart. */
export function axisTop(max: number): number {
  if (!(max > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(max));
  return power * (STEPS.find((step) => step * power >= max) ?? 10);
}

/** The values of the axis, top first. Half of a whole number that is odd has no tick. */
export function axisTicks(top: number): number[] {
  const half = top / 2;
  return top >= 1 && !Number.isInteger(half) ? [top, 0] : [top, half, 0];
}

/** The indexes of at most `most` evenly distributed labels of `count` points. */
export function labelIndexes(count: number, most: number): number[] {
  const every = Math.max(1, Math.ceil(count / most));
  return Array.from({ length: Math.ceil(count / every) }, (_, index) => index * every);
}
