/** What somebody typed as minor units: "12.50" with two digits is 1250. null when it is no such amount. */
export function readAmount(text: string, digits: number): number | null {
  const [, whole = "", fraction = ""] = /^\s*(\d{1,9})(?:[.,](\d*))?\s*$/.exec(text) ?? [];
  if (whole === "" || fraction.length > digits) return null;
  return Number(whole) * 10 ** digits + Number(fraction.padEnd(digits, "0") || 0);
}
