const NAMES = "cv[cv]2?|csc|security.?code|verification.?(?:code|value)|card.?code";
/** The characters between a name and its value in JSON, row text, forms and log lines, escaped or not. */
const BETWEEN = String.raw`(?:["'\s:=,\\\[\]]|%(?:20|22|2C|3A|3D|5B|5C|5D))`;

/**
 * Returns a pattern that finds a card's security code. Three digits occur in many values, so they only match after a
 * name of the code. A code with other characters is searched for literally.
 */
export function codeTrace(code: string): string | RegExp {
  if (!/^\d+$/.test(code)) return code;
  return new RegExp(`(?:${NAMES})${BETWEEN}{1,16}${code}(?!\\d)`, "i");
}
