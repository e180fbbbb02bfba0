import "server-only";
import { type AgentPaySettings, limitsIn } from "@/lib/payments/agent-payments/agent-pay-settings";
import { fail } from "@/lib/platform/errors/errors";
import { amountText, type MinorUnits } from "@/lib/platform/text/money";

/** The properties of a payment that the per-payment limits depend on. */
export interface CappedPayment {
  amount_minor: MinorUnits;
  currency: string;
  merchant_name: string | null;
  merchant_url: string | null;
}

/** Rejects a payment above the account's limit, or to a merchant that is not allowed. Errors: parameter_invalid. */
export function checkCaps(settings: AgentPaySettings, payment: CappedPayment): void {
  const most = limitsIn(settings, payment.currency).perPaymentMinor;
  if (most !== null && payment.amount_minor > most) {
    const text = amountText(most, payment.currency);
    fail("parameter_invalid", `amount_cents: the account allows at most ${most} (${text}) for one payment`);
  }
  if (!isAllowedMerchant(settings.merchant_allow_list, payment)) {
    fail(
      "parameter_invalid",
      "merchant: not one of the account's allowed merchants: use the name or URL of an allowed merchant",
    );
  }
}

// The URL takes precedence over the name, because any merchant could send the same name.
function isAllowedMerchant(
  allowed: readonly string[],
  { merchant_name, merchant_url }: CappedPayment,
): boolean {
  if (allowed.length === 0) return true;
  const given = merchant_url === null ? merchant_name : new URL(merchant_url).hostname;
  if (given === null) return false;
  return allowed.some((entry) => isSameMerchant(entry.toLowerCase(), given.toLowerCase()));
}

function isSameMerchant(entry: string, given: string): boolean {
  return given === entry || (entry.includes(".") && given.endsWith(`.${entry}`));
}
