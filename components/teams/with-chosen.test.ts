import { expect, test } from "vitest";
import { withChosen } from "@/components/teams/with-chosen";

const BILLING = { id: "a", name: "Billing" };
const RETURNS = { id: "b", name: "Returns" };

test("a chosen team that is not listed is a choice, one that is listed is so once, and an absent one is none", () => {
  expect(withChosen([BILLING], RETURNS)).toEqual([BILLING, RETURNS]);
  expect(withChosen([BILLING, RETURNS], RETURNS)).toEqual([BILLING, RETURNS]);
  expect(withChosen([BILLING], null)).toEqual([BILLING]);
  // An answer of the previous release.
  expect(withChosen([BILLING], undefined)).toEqual([BILLING]);
  expect(withChosen([], undefined)).toEqual([]);
});
