import "server-only";
import type { AgentPaymentRow } from "@/lib/payments/agent-payments/agent-payment";
import { CODE_TRIES, isCode } from "@/lib/payments/agent-payments/one-time-code";
import type { Context } from "@/lib/platform/context";
import { type Sql, sql } from "@/lib/platform/db";
import { fail } from "@/lib/platform/errors";

/** Whose passkey it is. */
type Customer = Pick<AgentPaymentRow, "account_id" | "handle">;

/** Whether a code that still opens the enrollment was sent to the customer. */
export async function hasPasskeyCode(ctx: Context, { account_id, handle }: Customer): Promise<boolean> {
  const rows = await sql.query({
    name: "has-passkey-code",
    text: `select 1 from passkey_enrollments
           where account_id = $1 and handle = $2 and code_expires_at > $3 and code_tries < $4`,
    values: [account_id, handle, ctx.now, CODE_TRIES],
  });
  return rows.length > 0;
}

/**
 * Passes when the code is the one on the customer's phone. Every attempt counts, also the right one, which stays valid
 * until the passkey is stored: a device that did not confirm can be asked again. Errors: parameter_invalid.
 */
export async function requirePasskeyCode(
  ctx: Context,
  { account_id, handle }: Customer,
  code: string,
): Promise<void> {
  // Counted before the code is compared: guesses that arrive together cannot share an attempt.
  const [attempt] = await sql.query<{ verification_id: string; code_hash: Buffer; code_tries: number }>({
    name: "try-passkey-code",
    text: `update passkey_enrollments set code_tries = code_tries + 1
           where account_id = $1 and handle = $2 and code_hash is not null and code_expires_at > $3
             and code_tries < $4
           returning verification_id, code_hash, code_tries`,
    values: [account_id, handle, ctx.now, CODE_TRIES],
  });
  if (attempt === undefined) {
    fail(
      "parameter_invalid",
      "the code has expired, was already used or had too many attempts: send another code",
    );
  }
  if (isCode(attempt.code_hash, attempt.verification_id, code.replaceAll(/\s/g, ""))) return;
  fail("parameter_invalid", `the code is wrong; attempts left: ${CODE_TRIES - attempt.code_tries}`);
}

/** Uses up the customer's code with the passkey it enrolls; false when it was used or withdrawn meanwhile. */
export async function consumePasskeyCode(tx: Sql, customer: Customer): Promise<boolean> {
  return (await clearPasskeyCode(tx, customer)) > 0;
}

/** Withdraws a code that was sent. The count of codes sent in the hour stays. */
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
 * Locks a customer's passkeys until the transaction ends, so that a concurrent enrollment and removal run one after
 * the other.
 */
export async function lockPasskeys(tx: Sql, { account_id, handle }: Customer): Promise<void> {
  await tx.query({
    text: "select pg_advisory_xact_lock(hashtextextended('passkey ' || $1 || ' ' || $2, 0))",
    values: [account_id, handle],
  });
}
