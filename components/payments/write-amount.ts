/** Minor units as somebody types them: 1250 with two digits is "12.50". */
export function writeAmount(minorUnits: number, digits: number): string {
  return (minorUnits / 10 ** digits).toFixed(digits);
}
