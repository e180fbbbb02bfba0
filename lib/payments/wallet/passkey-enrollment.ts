import "server-only";
import type { AgentPaymentRow } from "@/lib/payments/agent-payments/agent-payment";
import { isCode, MAX_CODE_ATTEMPTS } from "@/lib/payments/connections/one-time-code";
import type { Context } from "@/lib/platform/context";
import { type Sql, sql } from "@/lib/platform/database/db";
import { plannedStatement, statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

type Customer = Pick<AgentPaymentRow, "account_id" | "handle">;

const HAS_PASSKEY_CODE = statement(
  "has-passkey-code",
  `select 1 from passkey_enrollments
  where account_id = :accountId and handle = :handle and code_expires_at > :now and code_tries < :maxTries`,
);

/** Whether the customer has been sent a code that is still valid for enrollment. */
export async function hasPasskeyCode(ctx: Context, { account_id, handle }: Customer): Promise<boolean> {
  const rows = await sql.run(HAS_PASSKEY_CODE, {
    accountId: account_id,
    handle,
    now: ctx.now,
    maxTries: MAX_CODE_ATTEMPTS,
  });
  return rows.length > 0;
}

const TRY_PASSKEY_CODE = statement(
  "try-passkey-code",
  `update passkey_enrollments set code_tries = code_tries + 1
  where account_id = :accountId and handle = :handle and code_hash is not null and code_expires_at > :now
    and code_tries < :maxTries
  returning verification_id as "verification_id!", code_hash as "code_hash!", code_tries`,
);

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
  const [attempt] = await sql.run(TRY_PASSKEY_CODE, {
    accountId: account_id,
    handle,
    now: ctx.now,
    maxTries: MAX_CODE_ATTEMPTS,
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

const CLEAR_PASSKEY_CODE = statement(
  "clear-passkey-code",
  `update passkey_enrollments set verification_id = null, code_hash = null, code_expires_at = null
  where account_id = :accountId and handle = :handle and code_hash is not null returning 1`,
);

/** Withdraws a code that was sent. The number of codes sent this hour is kept. */
export async function clearPasskeyCode(tx: Sql, { account_id, handle }: Customer): Promise<number> {
  const cleared = await tx.run(CLEAR_PASSKEY_CODE, { accountId: account_id, handle });
  return cleared.length;
}

const LOCK_PASSKEYS = plannedStatement(
  "lock-passkeys",
  "select pg_advisory_xact_lock(hashtextextended('passkey ' || :accountId || ' ' || :handle, 0))",
);

/**
 * Locks a customer's passkeys until the transaction ends, so that concurrent enrollments and removals run one after the
 * other.
 */
export async function lockPasskeys(tx: Sql, { account_id, handle }: Customer): Promise<void> {
  await tx.run(LOCK_PASSKEYS, { accountId: account_id, handle });
}
