import "server-only";
import type { AgentPaymentRow } from "@/lib/payments/agent-payments/agent-payment";
import { isCode, MAX_CODE_ATTEMPTS } from "@/lib/payments/connections/one-time-code";
import type { Context } from "@/lib/platform/context";
import { type Sql, sql } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";

type Customer = Pick<AgentPaymentRow, "account_id" | "handle">;

/** Whether the customer has been sent a code that is still valid for enrollment. */
export async function hasPasskeyCode(ctx: Context, { account_id, handle }: Customer): Promise<boolean> {
  const rows = await sql.query({
    name: "has-passkey-code",
    text: `select 1 from passkey_enrollments
           where account_id = $1 and handle = $2 and code_expires_at > $3 and code_tries < $4`,
    values: [account_id, handle, ctx.now, MAX_CODE_ATTEMPTS],
  });
  return rows.length > 0;
}

/**
 * Checks the code from the customer's phone. Every attempt counts, even a correct one. A correct code stays valid until
 * the passkey is stored, so that a customer whose device failed can try again. Errors: parameter_invalid.
 */
export async function requirePasskeyCode(
  ctx: Context,
  { account_id, handle }: Customer,
  code: string,
): Promise<void> {
  // Counted before the comparison, so that concurrent guesses can't share an attempt.
  const [attempt] = await sql.query<{ verification_id: string; code_hash: Buffer; code_tries: number }>({
    name: "try-passkey-code",
    text: `update passkey_enrollments set code_tries = code_tries + 1
           where account_id = $1 and handle = $2 and code_hash is not null and code_expires_at > $3
             and code_tries < $4
           returning verification_id, code_hash, code_tries`,
    values: [account_id, handle, ctx.now, MAX_CODE_ATTEMPTS],
  });
  if (attempt === undefined) {
    fail(
      "parameter_invalid",
      "the code has expired, was already used or had too many attempts: send another code",
    );
  }
  if (isCode(attempt.code_hash, attempt.verification_id, code.replaceAll(/\s/g, ""))) return;
  fail("parameter_invalid", `the code is wrong; attempts left: ${MAX_CODE_ATTEMPTS - attempt.code_tries}`);
}

/** Consumes the customer's code when its passkey is stored. Returns false when it was used or withdrawn meanwhile. */
export async function consumePasskeyCode(tx: Sql, customer: Customer): Promise<boolean> {
  return (await clearPasskeyCode(tx, customer)) > 0;
}

/** Withdraws a code that was sent. The number of codes sent this hour is kept. */
export async function clearPasskeyCode(tx: Sql, { account_id, handle }: Customer): Promise<number> {
  const cleared = await tx.query({
    name: "clear-passkey-code",
    text: `update passkey_enrollments set verification_id = null, code_hash = null, code_expires_at = null
           where account_id = $1 and handle = $2 and code_hash is not null returning 1`,
    values: [account_id, handle],
  });
  return cleared.length;
}

/**
 * Locks a customer's passkeys until the transaction ends, so that concurrent enrollments and removals run one after the
 * other.
 */
export async function lockPasskeys(tx: Sql, { account_id, handle }: Customer): Promise<void> {
  await tx.query({
    text: "select pg_advisory_xact_lock(hashtextextended('passkey ' || $1 || ' ' || $2, 0))",
    values: [account_id, handle],
  });
}
