const NAMES = "cv[cv]2?|csc|security.?code|verification.?(?:code|value)|card.?code";
/** The characters between a name and its value in JSON, in a row's text, in forms and in log lines, escaped or not. */
const BETWEEN = String.raw`(?:["'\s:=,\\\[\]]|%(?:20|22|2C|3A|3D|5B|5C|5D))`;

/**
 * Recognizes a card's security code: three digits occur in many values, but after a name of the code they are the
 * code. A code with other characters is searched for as it is.
 */
export function codeTrace(code: string): string | RegExp {
  if (!/^\d+$/.test(code)) return code;
  return new RegExp(`(?:${NAMES})${BETWEEN}{1,16}${code}(?!\\d)`, "i");
}
