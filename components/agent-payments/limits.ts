import type { AgentPaySettings, SpendLimits } from "@/lib/payments/agent-payments/agent-pay-settings";
import { minorDigits, readAmount, writeAmount } from "@/lib/platform/money";

/** The limits of a currency as entered in the form, in major units. */
export type LimitTexts = { perPayment: string; perDay: string; approvalAbove: string };

export type CurrencyLimit = LimitTexts & {
  /** null = every currency without its own limits. */
  currency: string | null;
};

export type Limits = { currencies: CurrencyLimit[]; merchants: string };

const OTHERS_DIGITS = 2;

/** The number of decimals of amounts in this currency. */
export function digitsOf(currency: string | null): number {
  return currency === null ? OTHERS_DIGITS : minorDigits(currency);
}

/** The settings as form values; the limits of all other currencies are last. */
export function limitsOf(settings: AgentPaySettings): Limits {
  const own = Object.entries(settings.currency_limits).sort(([a], [b]) => a.localeCompare(b));
  return {
    currencies: [
      ...own.map(([currency, limits]) => ({ currency, ...textsOf(limits, digitsOf(currency)) })),
      { currency: null, ...textsOf(settings, OTHERS_DIGITS) },
    ],
    merchants: settings.merchant_allow_list.join("\n"),
  };
}

function textsOf(limits: SpendLimits, digits: number): LimitTexts {
  const text = (cents: number | null) => (cents === null ? "" : writeAmount(cents, digits));
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
  const digits = digitsOf(currency);
  const same = (text: string) => {
    const cents = readAmount(text, OTHERS_DIGITS);
    return cents === null ? text : writeAmount(cents, digits);
  };
  return {
    currency,
    perPayment: same(perPayment),
    perDay: same(perDay),
    approvalAbove: same(approvalAbove),
  };
}

/** The validation error of an amount, or null. An empty limit means no limit; the passkey amount is required. */
export function refuseAmount(text: string, digits: number, isRequired: boolean): string | null {
  if (text.trim() === "") return isRequired ? "Enter an amount. 0 always requires the passkey." : null;
  if (readAmount(text, digits) !== null) return null;
  return digits === 0
    ? "Enter a whole amount, for example 5000."
    : `Enter an amount, for example ${writeAmount(1250 * 10 ** (digits - 2), digits)}.`;
}

/** Whether every amount is valid. */
export function isWhole({ currencies }: Limits): boolean {
  return currencies.every(({ currency, perPayment, perDay, approvalAbove }) => {
    const digits = digitsOf(currency);
    const caps = [perPayment, perDay].map((text) => refuseAmount(text, digits, false));
    return [...caps, refuseAmount(approvalAbove, digits, true)].every((reason) => reason === null);
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
  const digits = digitsOf(currency);
  return {
    max_per_payment_cents: readAmount(perPayment, digits),
    max_per_handle_day_cents: readAmount(perDay, digits),
    approval_above_cents: readAmount(approvalAbove, digits) ?? 0,
  };
}
