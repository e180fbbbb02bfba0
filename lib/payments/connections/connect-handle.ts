import "server-only";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { findReadyProvider } from "@/lib/payments/card-providers/card-provider-account";
import { sealConnectId } from "@/lib/payments/connections/connect-id";
import {
  type ConnectionKey,
  findConnection,
  HandleParams,
  PaymentHandleConnection,
} from "@/lib/payments/connections/handle-connection";
import {
  CODE_TTL_MS,
  CODES_PER_HANDLE_HOUR,
  HOUR_MS,
  hashCode,
  newCode,
} from "@/lib/payments/connections/one-time-code";
import { prepareCode, sendCode } from "@/lib/payments/connections/send-code";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail, failRateLimited } from "@/lib/platform/errors/errors";
import { newId } from "@/lib/platform/ids";

export const ConnectHandle = contract({
  summary: "Ask a customer to allow agent payments",
  description:
    "Asks a customer to let agents pay on the customer's behalf. Trunkline texts the customer a one-time code. Pass the code and the returned `connect_id` to the verify operation. If the customer is already connected, `status` is `connected` and `connect_id` is absent.",
  tag: "Agent payments",
  right: "manage_payments",
  params: HandleParams,
  returns: PaymentHandleConnection,
  status: 200,
  errors: [
    "phone_not_e164",
    "feature_not_available",
    "rate_limited",
    "state_conflict",
    "recipient_not_allowed",
    "opted_out",
    "recipient_blocked",
    "line_restricted",
  ],
});

/**
 * Sends the customer a one-time code through the thread. `verify` with this code connects the handle
 * (docs/contract.md, section 14.2). A later call replaces the code. A connected handle gets no code, and the response
 * is `connected`. Errors: as `ConnectHandle`.
 */
export async function connectHandle(
  ctx: Context,
  { params }: Pick<Input<typeof ConnectHandle>, "params">,
): Promise<PaymentHandleConnection> {
  const { handle } = params;
  const provider = await findReadyProvider(ctx);
  const key = { accountId: ctx.account.id, provider: provider.name, handle };
  if ((await findConnection(key))?.status === "connected") return { handle, status: "connected" };

  const verificationId = newId(ctx.now.getTime());
  const code = await prepareCode(ctx, { purpose: "consent", handle, code: newCode() });
  const isPending = await transaction(async (tx) => {
    const begun = await startVerification(tx, ctx, key, {
      verificationId,
      codeHash: hashCode(verificationId, code.code),
    });
    if (!begun) return refuseVerification(tx, ctx, key);
    await sendCode(tx, ctx, code);
    await recordAudit(tx, ctx, "handle_connection.requested", "handle_connection", handle);
    return true;
  });

  if (!isPending) return { handle, status: "connected" };
  return { connect_id: sealConnectId(key, verificationId), handle, status: "pending" };
}

const START_VERIFICATION = plannedStatement(
  "start-verification",
  `insert into handle_connections as c (account_id, provider, handle, status, verification_id, code_hash,
    code_expires_at, codes_sent, codes_since, created_at, updated_at)
  values (:accountId, :provider, :handle, 'pending', :verificationId, :codeHash, :codeExpiresAt, 1, :now, :now, :now)
  on conflict (account_id, provider, handle) do update
  set status = 'pending', verification_id = excluded.verification_id, code_hash = excluded.code_hash,
    code_expires_at = excluded.code_expires_at, code_tries = 0, updated_at = excluded.updated_at,
    codes_sent = case when c.codes_since > :codesSince then c.codes_sent + 1 else 1 end,
    codes_since = case when c.codes_since > :codesSince then c.codes_since else excluded.codes_since end
  where c.status <> 'connected' and (c.codes_since <= :codesSince or c.codes_sent < :codesPerHour)
  returning 1`,
);

async function startVerification(
  tx: Sql,
  ctx: Context,
  key: ConnectionKey,
  { verificationId, codeHash }: { verificationId: string; codeHash: Buffer },
): Promise<boolean> {
  const rows = await tx.run(START_VERIFICATION, {
    accountId: key.accountId,
    provider: key.provider,
    handle: key.handle,
    verificationId,
    codeHash,
    codeExpiresAt: new Date(ctx.now.getTime() + CODE_TTL_MS),
    now: ctx.now,
    codesSince: new Date(ctx.now.getTime() - HOUR_MS),
    codesPerHour: CODES_PER_HANDLE_HOUR,
  });
  return rows.length > 0;
}

/** Called when no verification started. Returns false when the handle is already connected. Errors: rate_limited. */
async function refuseVerification(tx: Sql, ctx: Context, key: ConnectionKey): Promise<false> {
  const row = await findConnection(key, tx);
  if (row === null) return fail("internal");
  if (row.status === "connected") return false;
  return failRateLimited(Math.ceil((row.codes_since.getTime() + HOUR_MS - ctx.now.getTime()) / 1000));
}
