import "server-only";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import {
  CODE_TTL_MS,
  CODES_PER_HANDLE_HOUR,
  HOUR_MS,
  hashCode,
  newCode,
} from "@/lib/payments/connections/one-time-code";
import { prepareCode, sendCode } from "@/lib/payments/connections/send-code";
import { requireWalletPayment, type WalletPayment } from "@/lib/payments/wallet/find-wallet-payment";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { fail, failRateLimited } from "@/lib/platform/errors/errors";
import { newId } from "@/lib/platform/ids";

/**
 * Sends the customer of an attach link the one-time code that the page requires to enroll a passkey. The code proves
 * that the person with the link also has the phone. A later code replaces the earlier one. Errors: name_unknown,
 * state_conflict, rate_limited, and those of a send (opted_out, recipient_blocked, line_restricted …).
 */
export async function sendPasskeyCode(link: string): Promise<void> {
  const wallet = await requireWalletPayment("attach", link);
  const { ctx, payment } = wallet;
  const code = await prepareCode(ctx, { purpose: "passkey", handle: payment.handle, code: newCode() });
  await transaction(async (tx) => {
    await requireNoPasskey(tx, wallet);
    // Locks the contact's row before the code's row, in the same order as inbound messages.
    await sendCode(tx, ctx, code);
    await storeCode(tx, wallet, code.code);
    await recordAudit(tx, ctx, "passkey.code_sent", "passkey", payment.handle);
  });
}

async function requireNoPasskey(tx: Sql, { payment }: WalletPayment): Promise<void> {
  const passkeys = await tx.query({
    text: "select 1 from passkeys where account_id = $1 and handle = $2 limit 1",
    values: [payment.account_id, payment.handle],
  });
  if (passkeys.length > 0) fail("state_conflict", "the customer already has a passkey: use it to approve");
}

async function storeCode(tx: Sql, { ctx, payment }: WalletPayment, code: string): Promise<void> {
  const verificationId = newId(ctx.now.getTime());
  const hourAgo = new Date(ctx.now.getTime() - HOUR_MS);
  const stored = await tx.query({
    text: `insert into passkey_enrollments as p
             (account_id, handle, verification_id, code_hash, code_expires_at, codes_sent, codes_since)
           values ($1, $2, $3, $4, $5, 1, $6)
           on conflict (account_id, handle) do update
           set verification_id = excluded.verification_id, code_hash = excluded.code_hash,
             code_expires_at = excluded.code_expires_at, code_tries = 0,
             codes_sent = case when p.codes_since > $7 then p.codes_sent + 1 else 1 end,
             codes_since = case when p.codes_since > $7 then p.codes_since else excluded.codes_since end
           where p.codes_since <= $7 or p.codes_sent < $8
           returning 1`,
    values: [
      payment.account_id,
      payment.handle,
      verificationId,
      hashCode(verificationId, code),
      new Date(ctx.now.getTime() + CODE_TTL_MS),
      ctx.now,
      hourAgo,
      CODES_PER_HANDLE_HOUR,
    ],
  });
  if (stored.length > 0) return;
  const [{ since } = { since: ctx.now }] = await tx.query<{ since: Date }>({
    text: "select codes_since as since from passkey_enrollments where account_id = $1 and handle = $2",
    values: [payment.account_id, payment.handle],
  });
  failRateLimited(Math.max(1, Math.ceil((since.getTime() + HOUR_MS - ctx.now.getTime()) / 1000)));
}
