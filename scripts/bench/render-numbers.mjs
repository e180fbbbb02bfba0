/** A number without decimals, thousands apart. */
export function whole(value) {
  return Math.round(value).toLocaleString("en");
}

/** As `whole`; a dash for what could not be measured. */
export function dash(value) {
  return Number.isNaN(value) ? "-" : whole(value);
}

/** median [least-most] */
export function range({ median, min, max }, digits) {
  return `${median.toFixed(digits)} [${min.toFixed(digits)}-${max.toFixed(digits)}]`;
}

export function met(isMet) {
  return isMet ? "met" : "NOT MET";
}
