import { expect, test } from "vitest";
import { NEAR_MISSES, OPT_IN_TEXT, OPT_OUT_TEXTS } from "@/components/phones/apps/opt-out-texts";
import { optOutKeyword } from "@/lib/recipients/opt-outs/opt-out-keyword";

test.each(OPT_OUT_TEXTS)("%s opts out", (text) => {
  expect(optOutKeyword(text)).toBe(text);
});

test.each([OPT_IN_TEXT, ...NEAR_MISSES])("%s does not opt out", (text) => {
  expect(optOutKeyword(text)).toBeNull();
});
