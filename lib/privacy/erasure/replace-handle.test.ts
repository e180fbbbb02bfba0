import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  handlePattern,
  isCausedBy,
  likePatterns,
  replaceInJson,
  replaceInText,
} from "@/lib/privacy/erasure/replace-handle";

const phone = fc.stringMatching(/^\+[1-9]\d{6,13}$/);
const email = fc.stringMatching(/^[a-z.+_%]{1,10}@[a-z]{1,8}\.[a-z]{2,4}$/);
const handle = fc.oneof(phone, email);
const replacement = "erased-x";

const spellings = (whole: string) => [whole, encodeURIComponent(whole), whole.toUpperCase()];

describe("a handle", () => {
  test("is replaced in each of its spellings, wherever it stands", () => {
    fc.assert(
      fc.property(handle, fc.stringMatching(/^[ ":,a-z]{0,8}$/), (whole, around) => {
        for (const spelling of [...spellings(whole), ...(/^\+\d+$/.test(whole) ? [whole.slice(1)] : [])]) {
          const replaced = replaceInText(`${around} ${spelling} ${around}`, { handle: whole, replacement });
          expect(replaced).toBe(`${around} ${replacement} ${around}`);
        }
      }),
    );
  });

  test("is found by the statements wherever it would be replaced", () => {
    fc.assert(
      fc.property(handle, fc.string(), (whole, around) => {
        for (const spelling of spellings(whole)) {
          const text = around + spelling;
          if (!handlePattern(whole).test(text)) continue;
          expect(likePatterns(whole).some((like) => matchesLike(text.toLowerCase(), like))).toBe(true);
        }
      }),
    );
  });

  test("is not replaced within a longer address", () => {
    const replaced = { handle: "a@x.com", replacement };
    expect(replaceInText("ana@x.com, a@x.community, a@x.com.au, <a@x.com>. ?q=%2Fa%40x.com", replaced)).toBe(
      `ana@x.com, a@x.community, a@x.com.au, <${replacement}>. ?q=%2F${replacement}`,
    );
  });

  test("is not replaced within a longer number", () => {
    const replaced = { handle: "+15550100101", replacement };
    expect(replaceInText("115550100101 155501001011 +15550100101", replaced)).toBe(
      `115550100101 155501001011 ${replacement}`,
    );
  });
});

test("JSON keeps its shape, whatever it contains", () => {
  fc.assert(
    fc.property(fc.jsonValue(), phone, (value, whole) => {
      const json = JSON.stringify(
        replaceInJson({ value, phone: Number(whole.slice(1)), of: [whole] }, { handle: whole, replacement }),
      );
      expect(JSON.parse(json)).toMatchObject({ phone: 0, of: [replacement] });
      expect(handlePattern(whole).test(json)).toBe(false);
    }),
  );
});

test("the text of a poll option that the person added goes, and other options stay", () => {
  const of = (owner: string, text: string) => ({ creator_handle: { handle: owner }, text });
  const options = [of("+15550100101", "secret"), of("+15550100102", "open")];
  expect(replaceInJson({ options }, { handle: "+15550100101", replacement })).toEqual({
    options: [of(replacement, ""), of("+15550100102", "open")],
  });
});

test("an event belongs to the person who caused it", () => {
  const me = { handle: "+15550100101" };
  expect(isCausedBy({ sender_handle: me }, me.handle)).toBe(true);
  expect(isCausedBy({ handle: me.handle }, me.handle)).toBe(true);
  expect(isCausedBy({ participant: { handle: "+15550100102" }, handles: [me] }, me.handle)).toBe(false);
  expect(isCausedBy(null, me.handle)).toBe(false);
});

/** PostgreSQL's LIKE for a pattern that begins and ends with `%`. */
function matchesLike(text: string, pattern: string): boolean {
  return text.includes(pattern.slice(1, -1).replaceAll(/\\(.)/g, "$1"));
}
