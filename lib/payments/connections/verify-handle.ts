import "server-only";
import { z } from "zod";
import { emitEvents, newEvent } from "@/lib/events/store/emit-event";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { openConnectId } from "@/lib/payments/connections/connect-id";
import { CONNECTION_EVENTS } from "@/lib/payments/connections/connection-events";
import {
  type ConnectionKey,
  HandleParams,
  PaymentHandleConnection,
} from "@/lib/payments/connections/handle-connection";
import { isCode, MAX_CODE_ATTEMPTS } from "@/lib/payments/connections/one-time-code";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { maxUnits } from "@/lib/platform/text/max-units";

export const VerifyHandle = contract({
  summary: "Connect a customer with the one-time code",
  description:
    "Connects a customer with the one-time code that the customer received. Codes are short-lived and can be used once. A wrong or expired code fails with 1005 and changes nothing. A `connection.created` event follows.",
  tag: "Agent payments",
  right: "manage_payments",
  params: HandleParams,
  body: z
    .object({
      code: z.string().min(1).check(maxUnits(32)).describe("The one-time code."),
      connect_id: z
        .string()
        .min(1)
        .check(maxUnits(2048))
        .describe("The `connect_id` that the connect operation returned."),
    })
    .meta({ examples: [{ code: "481923", connect_id: "cn_example" }] }),
  returns: PaymentHandleConnection,
  status: 200,
  errors: ["field_missing", "parameter_invalid", "phone_not_e164"],
});

/**
 * Connects a handle with the code its customer received, at the provider the code was requested for. Records the
 * consent and emits connection.created. A code works once, for ten minutes and five attempts. A wrong code is counted
 * and changes nothing else. Errors: as `VerifyHandle`.
 */
export async function verifyHandle(
  ctx: Context,
  { params, body }: Pick<Input<typeof VerifyHandle>, "params" | "body">,
): Promise<PaymentHandleConnection> {
  const { handle } = params;
  const verification = openConnectId(body.connect_id, { accountId: ctx.account.id, handle });
  if (verification === null)
    fail("parameter_invalid", "connect_id was not returned by a connect request for this handle");
  const { key, verificationId } = verification;

  const attempt = await countCodeAttempt(ctx, key, verificationId);
  if (!isCode(attempt.code_hash, verificationId, body.code.replaceAll(/\s/g, ""))) {
    const left = MAX_CODE_ATTEMPTS - attempt.code_tries;
    fail(
      "parameter_invalid",
      `the code is wrong; ${left === 1 ? "1 attempt is" : `${left} attempts are`} left`,
    );
  }
  await connect(ctx, key, verificationId);

  return { handle, status: "connected" };
}

type Attempt = RowOf<"count-code-attempt">;

const COUNT_CODE_ATTEMPT = plannedStatement(
  "count-code-attempt",
  `update handle_connections set code_tries = code_tries + 1
  where account_id = :accountId and provider = :provider and handle = :handle and verification_id = :verificationId and status = 'pending'
    and code_expires_at > :now and code_tries < :maxTries
  returning code_hash as "code_hash!", code_tries`,
);

// Committed before the check, so that concurrent guesses can't share one attempt.
async function countCodeAttempt(ctx: Context, key: ConnectionKey, verificationId: string): Promise<Attempt> {
  const [attempt] = await sql.run(COUNT_CODE_ATTEMPT, {
    accountId: key.accountId,
    provider: key.provider,
    handle: key.handle,
    verificationId,
    now: ctx.now,
    maxTries: MAX_CODE_ATTEMPTS,
  });
  return attempt ?? failUnusableCode();
}

function failUnusableCode(): never {
  return fail(
    "parameter_invalid",
    "the code has expired, was already used or had too many attempts: connect again to get another code",
  );
}

const CONNECT_HANDLE = plannedStatement(
  "connect-handle",
  `update handle_connections
  set status = 'connected', verification_id = null, code_hash = null, code_expires_at = null,
    approved_at = null, connected_at = :now, revoked_at = null, updated_at = :now
  where account_id = :accountId and provider = :provider and handle = :handle and verification_id = :verificationId returning 1`,
);

async function connect(ctx: Context, key: ConnectionKey, verificationId: string): Promise<void> {
  const { accountId, provider, handle } = key;
  await transaction(async (tx) => {
    const changed = await tx.run(CONNECT_HANDLE, {
      accountId,
      provider,
      handle,
      verificationId,
      now: ctx.now,
    });
    if (changed.length === 0) failUnusableCode();
    await recordAudit(tx, ctx, "handle_connection.connected", "handle_connection", handle, { provider });
    const data = { handle, provider, status: "connected" as const, created_at: ctx.now.toISOString() };
    const about = {
      accountId,
      lineId: null,
      chatId: null,
      messageId: null,
      traceId: ctx.traceId,
      at: ctx.now,
    };
    await emitEvents(tx, [newEvent(CONNECTION_EVENTS["connection.created"], about, data)]);
  });
}
