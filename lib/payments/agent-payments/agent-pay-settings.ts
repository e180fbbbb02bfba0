import "server-only";
import { z } from "zod";
import { PaymentCurrency } from "@/lib/payments/agent-payments/payment-currency";
import { prisma } from "@/lib/platform/database/db";
import { maxUnits } from "@/lib/platform/text/max-units";
import { type MinorUnits, minorUnits } from "@/lib/platform/text/money";

const Amount = z.int().min(0).max(100_000_000);

const MAX_CURRENCIES = 50;

/** The spending limits of a currency, in its minor units. */
const SpendLimits = z.object({
  /** The maximum of one payment. null = an admin lifted the limit. */
  max_per_payment_cents: Amount.nullable(),
  /** The maximum total of a handle's payments per UTC day. null = an admin lifted the limit. */
  max_per_handle_day_cents: Amount.nullable(),
  /** Every payment above this amount requires a passkey. A connection's first payment always does. */
  approval_above_cents: Amount,
});

export type SpendLimits = z.infer<typeof SpendLimits>;

const CurrencyLimits = z.record(PaymentCurrency, SpendLimits);

/** The spending limits of an account's agents (an extension: the specification leaves them to the service). */
export const AgentPaySettings = SpendLimits.extend({
  /** Currencies with limits of their own. All other currencies use the limits above. */
  currency_limits: CurrencyLimits.refine(
    (limits) => Object.keys(limits).length <= MAX_CURRENCIES,
    `can have at most ${MAX_CURRENCIES} currencies`,
  ),
  /** Names or hosts of merchants. Empty = any merchant. */
  merchant_allow_list: z.array(z.string().trim().min(1).check(maxUnits(253))).max(200),
}).meta({ id: "AgentPaySettings" });

export type AgentPaySettings = z.infer<typeof AgentPaySettings>;

/** 500.00 per payment, 1,000.00 per handle and day, a passkey above 100.00. Only an admin can lift a limit. */
export const DEFAULT_AGENT_PAY_SETTINGS: AgentPaySettings = {
  max_per_payment_cents: 50_000,
  max_per_handle_day_cents: 100_000,
  merchant_allow_list: [],
  approval_above_cents: 10_000,
  currency_limits: {},
};

/** Returns the account's settings, or the defaults. */
export async function findAgentPaySettings(accountId: string): Promise<AgentPaySettings> {
  const row = await prisma().agentPaySettings.findUnique({ where: { accountId } });
  if (row === null) return DEFAULT_AGENT_PAY_SETTINGS;
  return {
    max_per_payment_cents: row.maxPerPaymentMinor,
    max_per_handle_day_cents: row.maxPerHandleDayMinor,
    merchant_allow_list: row.merchantAllowList,
    approval_above_cents: row.approvalAboveMinor,
    currency_limits: CurrencyLimits.parse(row.currencyLimits),
  };
}

/** The limits of payments in a currency, in its minor units. */
interface LimitsInCurrency {
  /** null = no limit. */
  perPaymentMinor: MinorUnits | null;
  /** null = no limit. */
  perHandleDayMinor: MinorUnits | null;
  approvalAboveMinor: MinorUnits;
}

/** Returns the limits of a currency: its own, or else the general ones. */
export function limitsIn(settings: AgentPaySettings, currency: string): LimitsInCurrency {
  const limits = settings.currency_limits[currency] ?? settings;
  const cap = (value: number | null) => (value === null ? null : minorUnits(value, currency));
  return {
    perPaymentMinor: cap(limits.max_per_payment_cents),
    perHandleDayMinor: cap(limits.max_per_handle_day_cents),
    approvalAboveMinor: minorUnits(limits.approval_above_cents, currency),
  };
}
