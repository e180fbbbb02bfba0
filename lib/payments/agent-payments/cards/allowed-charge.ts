import "server-only";
import type { ChargeRequest } from "@/lib/adapters/card-providers/card-provider";
import type { MinorUnits } from "@/lib/platform/text/money";

interface Paid {
  amount_minor: MinorUnits;
  currency: string;
  merchant_name: string | null;
  merchant_url: string | null;
}

/** Shorter words occur in too many names. */
const WORD_LENGTH = 3;

/**
 * Whether a charge matches the approved payment: at most its amount, in its currency and, when the account has a list
 * of allowed merchants, at its merchant.
 */
export function isAllowedCharge(
  payment: Paid,
  { amountMinor, currency, merchant }: ChargeRequest,
  allowList: readonly string[],
): boolean {
  if (amountMinor > payment.amount_minor || currency !== payment.currency) return false;
  if (allowList.length === 0) return true;
  return isSameMerchant(payment, merchant);
}

// Card networks shorten and decorate names ("SQ *HARBOR KITCH 0412"), so one word in common, or the beginning of one,
// counts as a match.
function isSameMerchant(payment: Paid, merchant: ChargeRequest["merchant"]): boolean {
  const expected = [...wordsOf(payment.merchant_name), ...hostWords(payment.merchant_url)];
  const emitted = [...wordsOf(merchant.name), ...hostWords(merchant.url)];
  return expected.some((word) => emitted.some((other) => word.startsWith(other) || other.startsWith(word)));
}

function wordsOf(name: string | null): string[] {
  return (name ?? "")
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word.length >= WORD_LENGTH);
}

// Without `www` and the top-level domain, which don't identify the merchant.
function hostWords(url: string | null): string[] {
  if (url === null || !URL.canParse(url)) return [];
  const labels = new URL(url).hostname.split(".").slice(0, -1);
  return labels.filter((label) => label !== "www").flatMap(wordsOf);
}
