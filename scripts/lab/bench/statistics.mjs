/** The median, minimum and maximum of numbers. */
export function summarize(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: percentile(sorted, 50), min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN };
}

/** A percentile of sorted numbers, interpolated between the two nearest; NaN for an empty list. */
function percentile(sorted, percent) {
  if (sorted.length === 0) return Number.NaN;
  const place = (percent / 100) * (sorted.length - 1);
  const below = sorted[Math.floor(place)];
  return below + (sorted[Math.ceil(place)] - below) * (place % 1);
}

/** The p50, p95, p99 and maximum of numbers. */
export function percentiles(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return {
    p50: percentile(sorted, 50),
    p95: percentile(sorted, 95),
    p99: percentile(sorted, 99),
    max: sorted.at(-1) ?? Number.NaN,
  };
}

/** The contenders of a round, in reverse order in every other round, so that none always comes first. */
export function orderOf(contenders, round) {
  return round % 2 === 0 ? contenders : contenders.toReversed();
}
