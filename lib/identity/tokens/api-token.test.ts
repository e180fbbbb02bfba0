import fc from "fast-check";
import { expect, test } from "vitest";
import { generateToken, isWellFormedToken } from "@/lib/identity/tokens/api-token";
import { sha256 } from "@/lib/platform/crypto/crypto";

test("a new token is well formed, names its environment, and shows only its ends", () => {
  const { token, hash, prefix, lastFour } = generateToken("sandbox");
  expect(token).toMatch(/^tl_sandbox_[0-9A-Za-z]{38}$/);
  expect(isWellFormedToken(token)).toBe(true);
  expect(hash).toEqual(sha256(token));
  expect(token.startsWith(prefix)).toBe(true);
  expect(token.endsWith(lastFour)).toBe(true);
  expect(prefix.length + lastFour.length).toBeLessThan(token.length / 2);
});

test("tokens do not repeat", () => {
  const tokens = Array.from({ length: 1000 }, () => generateToken("production").token);
  expect(new Set(tokens).size).toBe(1000);
});

test("property: one changed character is noticed without the database", () => {
  const { token } = generateToken("production");
  const start = "tl_production_".length;
  fc.assert(
    fc.property(
      fc.integer({ min: start, max: token.length - 1 }),
      fc.constantFrom(..."09AZaz"),
      (at, character) => {
        fc.pre(token[at] !== character);
        expect(isWellFormedToken(token.slice(0, at) + character + token.slice(at + 1))).toBe(false);
      },
    ),
  );
});
