import "server-only";
import type { CardNotice } from "@/lib/adapters/card-providers/card-provider";
import { recordNotice } from "@/lib/identity/notices/record-notice";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { formatAmount } from "@/lib/platform/text/money";

const FIND_REFUNDED_PAYMENT = plannedStatement(
  "find-refunded-payment",
  "select id from agent_payments where account_id = :accountId and provider = :provider and card_ref = :cardRef",
);

/**
 * Tells the account's people that a merchant returned money to the card of an agent payment. The payment stays
 * authorized, as its merchant charged it, and no event is emitted (docs/contract.md, section 14.1). An unknown card
 * changes nothing.
 */
export async function noticeCardRefund(
  tx: Sql,
  provider: string,
  { accountId, cardRef, amountMinor, currency, at }: Extract<CardNotice, { about: "refund" }>,
): Promise<void> {
  const [payment] = await tx.run(FIND_REFUNDED_PAYMENT, { accountId, provider, cardRef });
  if (payment === undefined) return;
  await recordNotice(tx, {
    accountId,
    objectId: payment.id,
    kind: "agent_payment_refunded",
    severity: "info",
    title: `A merchant refunded ${formatAmount(amountMinor, currency, "en")} of an agent payment`,
    body: "The money returns to the account that funds the cards.",
    link: `/agent-payments/${payment.id}`,
    at,
  });
}
