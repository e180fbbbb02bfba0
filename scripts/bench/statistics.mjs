/** The middle of some numbers, with their least and most. */
export function spread(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: percentile(sorted, 50), min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN };
}

/** A percentile of numbers that are already sorted, between the two nearest; NaN of none. */
function percentile(sorted, percent) {
  if (sorted.length === 0) return Number.NaN;
  const place = (percent / 100) * (sorted.length - 1);
  const below = sorted[Math.floor(place)];
  return below + (sorted[Math.ceil(place)] - below) * (place % 1);
}

/** p50, p95, p99 and the most of some numbers. */
export function percentiles(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return {
    p50: percentile(sorted, 50),
    p95: percentile(sorted, 95),
    p99: percentile(sorted, 99),
    max: sorted.at(-1) ?? Number.NaN,
  };
}

/** Contenders of a round: forwards, then backwards, so that none always comes first. */
export function orderOf(contenders, round) {
  return round % 2 === 0 ? contenders : contenders.toReversed();
}
