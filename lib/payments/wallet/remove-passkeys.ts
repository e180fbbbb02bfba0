import "server-only";
import { movePayment } from "@/lib/payments/agent-payments/move-payment";
import { clearPasskeyCode, lockPasskeys } from "@/lib/payments/wallet/passkey-enrollment";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";

interface Removal {
  accountId: string;
  handle: string;
  at: Date;
  isRevoked: boolean;
}

const WITHDRAW_CONNECTION_APPROVALS = plannedStatement(
  "withdraw-connection-approvals",
  `update handle_connections set approved_at = null where account_id = :accountId and handle = :handle`,
);

const WITHDRAW_PAYMENT_APPROVALS = plannedStatement(
  "withdraw-payment-approvals",
  `update agent_payments set approved_at = null
  where account_id = :accountId and handle = :handle and status in ('needs_connection', 'connecting', 'awaiting_user_action')
  returning id, awaits`,
);

const DELETE_PASSKEY_CHALLENGES = plannedStatement(
  "delete-passkey-challenges",
  `delete from passkey_challenges c using agent_payments p
  where p.account_id = :accountId and p.handle = :handle and c.account_id = p.account_id and c.payment_id = p.id`,
);

const DELETE_CUSTOMER_PASSKEYS = plannedStatement(
  "delete-customer-passkeys",
  "delete from passkeys where account_id = :accountId and handle = :handle returning 1",
);

/**
 * Deletes a customer's passkeys and everything unused that depends on them: challenges, codes, and approvals of
 * payments without a card. Payments that waited for an approval then wait for a new passkey, or for a new consent when
 * the customer was revoked. Returns the number of deleted passkeys.
 */
export async function removePasskeys(
  tx: Sql,
  { accountId, handle, at, isRevoked }: Removal,
): Promise<number> {
  const customer = { account_id: accountId, handle };
  // Locks the connection, then the payments, then the passkeys, in the same order as approvals and revocations.
  await tx.run(WITHDRAW_CONNECTION_APPROVALS, { accountId, handle });
  await lockPasskeys(tx, customer);
  const waiting = await tx.run(WITHDRAW_PAYMENT_APPROVALS, { accountId, handle });
  for (const { id, awaits } of waiting) {
    const payment = { account_id: accountId, id };
    if (isRevoked) await movePayment(tx, payment, { trigger: "unconnected", at });
    else if (awaits === "approve") {
      await movePayment(tx, payment, { trigger: "customer_must_act", awaits: "attach", at });
    }
  }
  await tx.run(DELETE_PASSKEY_CHALLENGES, { accountId, handle });
  await clearPasskeyCode(tx, customer);
  const removed = await tx.run(DELETE_CUSTOMER_PASSKEYS, { accountId, handle });
  return removed.length;
}
