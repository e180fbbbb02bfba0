/** Formats a number without decimals, with thousands separators. */
export function formatInteger(value) {
  return Math.round(value).toLocaleString("en");
}

/** Like `whole`; a dash for a value that could not be measured. */
export function formatIntegerOrDash(value) {
  return Number.isNaN(value) ? "-" : formatInteger(value);
}

/** Formats as median [min-max]. */
export function range({ median, min, max }, digits) {
  return `${median.toFixed(digits)} [${min.toFixed(digits)}-${max.toFixed(digits)}]`;
}

export function formatTarget(isMet) {
  return isMet ? "met" : "NOT MET";
}

const BUSY_CORES = 0.2;

/**
 * A line about the cores that other programs used. The load, node and PostgreSQL share a few cores, so other programs
 * slow them down and widen the ranges.
 */
export function busyLine(others) {
  const warning = others.median > BUSY_CORES ? ": NOT A QUIET MACHINE, ratios of this run are rough" : "";
  return `  other programs used ${others.median.toFixed(2)} cores meanwhile [${others.min.toFixed(2)}-${others.max.toFixed(2)}]${warning}`;
}
