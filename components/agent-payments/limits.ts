import type { AgentPaySettings, SpendLimits } from "@/lib/payments/agent-payments/agent-pay-settings";
import { minorDigits, minorUnits, readAmount, writeAmount } from "@/lib/platform/text/money";

/** The limits of a currency as entered in the form, in major units. */
export type LimitTexts = { perPayment: string; perDay: string; approvalAbove: string };

export type CurrencyLimit = LimitTexts & {
  /** null = every currency without its own limits. */
  currency: string | null;
};

export type Limits = { currencies: CurrencyLimit[]; merchants: string };

// The limits of all other currencies are entered with two decimals, as dollars are.
const LIKE_OTHERS = "usd";

/** The number of decimals of amounts in this currency. */
export function digitsOf(currency: string | null): number {
  return minorDigits(currency ?? LIKE_OTHERS);
}

/** The settings as form values; the limits of all other currencies are last. */
export function limitsOf(settings: AgentPaySettings): Limits {
  const own = Object.entries(settings.currency_limits).sort(([a], [b]) => a.localeCompare(b));
  return {
    currencies: [
      ...own.map(([currency, limits]) => ({ currency, ...textsOf(limits, currency) })),
      { currency: null, ...textsOf(settings, LIKE_OTHERS) },
    ],
    merchants: settings.merchant_allow_list.join("\n"),
  };
}

function textsOf(limits: SpendLimits, currency: string): LimitTexts {
  const text = (value: number | null) =>
    value === null ? "" : writeAmount(minorUnits(value, currency), currency);
  return {
    perPayment: text(limits.max_per_payment_cents),
    perDay: text(limits.max_per_handle_day_cents),
    approvalAbove: text(limits.approval_above_cents),
  };
}

const NONE: LimitTexts = { perPayment: "", perDay: "", approvalAbove: "" };

/** The initial limits of an added currency: the default limits, in the currency's number of decimals. */
export function newLimit(currency: string, limits: Limits): CurrencyLimit {
  const { perPayment, perDay, approvalAbove } = limits.currencies.at(-1) ?? NONE;
  const same = (text: string) => {
    const minor = readAmount(text, LIKE_OTHERS);
    return minor === null ? text : writeAmount(minorUnits(minor, currency), currency);
  };
  return {
    currency,
    perPayment: same(perPayment),
    perDay: same(perDay),
    approvalAbove: same(approvalAbove),
  };
}

/** The validation error of an amount, or null. An empty limit means no limit; the passkey amount is required. */
export function refuseAmount(text: string, currency: string | null, isRequired: boolean): string | null {
  if (text.trim() === "") return isRequired ? "Enter an amount. 0 always requires the passkey." : null;
  if (readAmount(text, currency ?? LIKE_OTHERS) !== null) return null;
  const digits = digitsOf(currency);
  return digits === 0
    ? "Enter a whole amount, for example 5000."
    : `Enter an amount, for example ${"12.50".padEnd("12.".length + digits, "0")}.`;
}

/** Whether every amount is valid. */
export function hasValidAmounts({ currencies }: Limits): boolean {
  return currencies.every(({ currency, perPayment, perDay, approvalAbove }) => {
    const caps = [perPayment, perDay].map((text) => refuseAmount(text, currency, false));
    return [...caps, refuseAmount(approvalAbove, currency, true)].every((reason) => reason === null);
  });
}

/** The form values as the request body of PATCH /api/agent-payments/settings. */
export function toSettings({ currencies, merchants }: Limits): AgentPaySettings {
  const own = currencies.flatMap((limit) =>
    limit.currency === null ? [] : [[limit.currency, toLimits(limit)] as const],
  );
  return {
    ...toLimits(currencies.find(({ currency }) => currency === null) ?? { currency: null, ...NONE }),
    currency_limits: Object.fromEntries(own),
    merchant_allow_list: merchants
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== ""),
  };
}

function toLimits({ currency, perPayment, perDay, approvalAbove }: CurrencyLimit): SpendLimits {
  const like = currency ?? LIKE_OTHERS;
  return {
    max_per_payment_cents: readAmount(perPayment, like),
    max_per_handle_day_cents: readAmount(perDay, like),
    approval_above_cents: readAmount(approvalAbove, like) ?? 0,
  };
}
