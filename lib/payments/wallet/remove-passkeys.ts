import "server-only";
import { movePayment } from "@/lib/payments/agent-payments/move-payment";
import { clearPasskeyCode, lockPasskeys } from "@/lib/payments/wallet/passkey-enrollment";
import type { Sql } from "@/lib/platform/database/db";

interface Removal {
  accountId: string;
  handle: string;
  at: Date;
  isRevoked: boolean;
}

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
  await tx.query({
    text: `update handle_connections set approved_at = null where account_id = $1 and handle = $2`,
    values: [accountId, handle],
  });
  await lockPasskeys(tx, customer);
  const waiting = await tx.query<{ id: string; awaits: string | null }>({
    text: `update agent_payments set approved_at = null
           where account_id = $1 and handle = $2 and status in ('needs_connection', 'connecting', 'awaiting_user_action')
           returning id, awaits`,
    values: [accountId, handle],
  });
  for (const { id, awaits } of waiting) {
    const payment = { account_id: accountId, id };
    if (isRevoked) await movePayment(tx, payment, { trigger: "unconnected", at });
    else if (awaits === "approve") {
      await movePayment(tx, payment, { trigger: "customer_must_act", awaits: "attach", at });
    }
  }
  await tx.query({
    text: `delete from passkey_challenges c using agent_payments p
           where p.account_id = $1 and p.handle = $2 and c.account_id = p.account_id and c.payment_id = p.id`,
    values: [accountId, handle],
  });
  await clearPasskeyCode(tx, customer);
  const removed = await tx.query({
    text: "delete from passkeys where account_id = $1 and handle = $2 returning 1",
    values: [accountId, handle],
  });
  return removed.length;
}
