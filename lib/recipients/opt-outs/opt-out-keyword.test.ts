import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { optOutKeyword } from "@/lib/recipients/opt-outs/opt-out-keyword";

const KEYWORDS = ["STOP", "UNSUBSCRIBE", "OPTOUT", "CANCEL", "END", "QUIT", "OPT OUT", "OPT-OUT"];
const OTHERS = KEYWORDS.filter((keyword) => !keyword.startsWith("OPT"));

const space = fc.string({ unit: fc.constantFrom(" ", "\t", "\n", "\r", "\u00a0") });

const anyCase = (text: string) =>
  fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map((uppers) =>
      [...text]
        .map((letter, index) => (uppers[index] ? letter.toUpperCase() : letter.toLowerCase()))
        .join(""),
    );

describe("opt-out keyword", () => {
  test("is the whole text, whatever white space is around it", () => {
    fc.assert(
      fc.property(space, fc.constantFrom(...KEYWORDS), space, (before, keyword, after) => {
        expect(optOutKeyword(before + keyword + after)).toBe(keyword);
      }),
    );
  });

  test("OPT OUT matches in any case, with a space, a hyphen or neither", () => {
    const written = fc.constantFrom("opt out", "opt-out", "optout").chain(anyCase);
    fc.assert(
      fc.property(written, (text) => {
        expect(optOutKeyword(text)).toBe(text);
      }),
    );
  });

  test("the others match in capitals only", () => {
    const written = fc
      .constantFrom(...OTHERS)
      .chain((keyword) => fc.tuple(fc.constant(keyword), anyCase(keyword)));
    fc.assert(
      fc.property(written, ([keyword, text]) => {
        expect(optOutKeyword(text)).toBe(text === keyword ? keyword : null);
      }),
    );
  });

  test("inside a longer message it does not count", () => {
    const more = fc.string({ minLength: 1 }).filter((text) => text.trim() !== "");
    fc.assert(
      fc.property(fc.constantFrom(...KEYWORDS), more, fc.boolean(), (keyword, text, first) => {
        const whole = first ? `${keyword} ${text}` : `${text} ${keyword}`;
        fc.pre(!KEYWORDS.includes(whole.trim().toUpperCase()));
        expect(optOutKeyword(whole)).toBeNull();
      }),
    );
  });

  test.each(["Stop", "stop please", "REVOKE", "STOPALL", "STOP.", "OPT  OUT", "OPT_OUT", ""])(
    "%j is none",
    (text) => {
      expect(optOutKeyword(text)).toBeNull();
    },
  );
});
