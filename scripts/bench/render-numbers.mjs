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
