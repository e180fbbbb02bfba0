import { describe, expect, test } from "vitest";
import { type Language, translationsFor } from "@/lib/payments/checkout/translations";
import { walletTranslationsFor } from "@/lib/payments/wallet/pages/translations";

const OTHER_LANGUAGES = ["es", "fr", "de"] as const satisfies Exclude<Language, "en">[];

describe.each([
  ["the checkout", translationsFor],
  ["the wallet pages", walletTranslationsFor],
] as const)("the translations of %s", (_pages, translationsOf) => {
  test.each(OTHER_LANGUAGES)("into %s have the keys and placeholders of the English texts", (language) => {
    expect(placeholdersByKey(translationsOf(language))).toEqual(placeholdersByKey(translationsOf("en")));
  });

  test.each(OTHER_LANGUAGES)("into %s leave no text empty", (language) => {
    expect(textsByKey(translationsOf(language)).filter(([, text]) => text.trim() === "")).toEqual([]);
  });
});

function placeholdersByKey(translations: object): Record<string, string[]> {
  return Object.fromEntries(
    textsByKey(translations).map(([key, text]) => [key, (text.match(/\{\w+\}/g) ?? []).sort()]),
  );
}

// Nested keys are joined with dots.
function textsByKey(translations: object, prefix = ""): [string, string][] {
  return Object.entries(translations).flatMap(([key, value]): [string, string][] =>
    typeof value === "string" ? [[prefix + key, value]] : textsByKey(value, `${prefix}${key}.`),
  );
}
