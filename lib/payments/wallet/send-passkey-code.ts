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
import { plannedStatement } from "@/lib/platform/database/statement";
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

const HAS_CUSTOMER_PASSKEY = plannedStatement(
  "has-customer-passkey",
  "select 1 from passkeys where account_id = :accountId and handle = :handle limit 1",
);

async function requireNoPasskey(tx: Sql, { payment }: WalletPayment): Promise<void> {
  const passkeys = await tx.run(HAS_CUSTOMER_PASSKEY, {
    accountId: payment.account_id,
    handle: payment.handle,
  });
  if (passkeys.length > 0) fail("state_conflict", "the customer already has a passkey: use it to approve");
}

const STORE_PASSKEY_CODE = plannedStatement(
  "store-passkey-code",
  `insert into passkey_enrollments as p
    (account_id, handle, verification_id, code_hash, code_expires_at, codes_sent, codes_since)
  values (:accountId, :handle, :verificationId, :code, :codeExpiresAt, 1, :now)
  on conflict (account_id, handle) do update
  set verification_id = excluded.verification_id, code_hash = excluded.code_hash,
    code_expires_at = excluded.code_expires_at, code_tries = 0,
    codes_sent = case when p.codes_since > :hourAgo then p.codes_sent + 1 else 1 end,
    codes_since = case when p.codes_since > :hourAgo then p.codes_since else excluded.codes_since end
  where p.codes_since <= :hourAgo or p.codes_sent < :codesPerHour
  returning 1`,
);

const FIND_PASSKEY_CODE_WINDOW = plannedStatement(
  "find-passkey-code-window",
  "select codes_since as since from passkey_enrollments where account_id = :accountId and handle = :handle",
);

async function storeCode(tx: Sql, { ctx, payment }: WalletPayment, code: string): Promise<void> {
  const verificationId = newId(ctx.now.getTime());
  const hourAgo = new Date(ctx.now.getTime() - HOUR_MS);
  const stored = await tx.run(STORE_PASSKEY_CODE, {
    accountId: payment.account_id,
    handle: payment.handle,
    verificationId,
    code: hashCode(verificationId, code),
    codeExpiresAt: new Date(ctx.now.getTime() + CODE_TTL_MS),
    now: ctx.now,
    hourAgo,
    codesPerHour: CODES_PER_HANDLE_HOUR,
  });
  if (stored.length > 0) return;
  const [{ since } = { since: ctx.now }] = await tx.run(FIND_PASSKEY_CODE_WINDOW, {
    accountId: payment.account_id,
    handle: payment.handle,
  });
  failRateLimited(Math.max(1, Math.ceil((since.getTime() + HOUR_MS - ctx.now.getTime()) / 1000)));
}
