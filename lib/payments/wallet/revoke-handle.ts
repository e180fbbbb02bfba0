import "server-only";
import { emitEvents, newEvent } from "@/lib/events/store/emit-event";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { PAYMENT_COLUMNS } from "@/lib/payments/agent-payments/agent-payment";
import { cancelRevoked } from "@/lib/payments/agent-payments/end-payment";
import { CONNECTION_EVENTS } from "@/lib/payments/connections/connection-events";
import {
  type ConnectionKey,
  HandleParams,
  lockConnections,
  PaymentHandleConnection,
} from "@/lib/payments/connections/handle-connection";
import { removePasskeys } from "@/lib/payments/wallet/remove-passkeys";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";

export const RevokeHandle = contract({
  summary: "End a customer's connection",
  description:
    "Ends a customer's connection to your account and deletes its passkeys. The customer's wallet at the card provider does not change. A `connection.revoked` event follows.",
  tag: "Agent payments",
  right: "manage_payments",
  params: HandleParams,
  returns: PaymentHandleConnection,
  status: 200,
  errors: ["phone_not_e164", "service_connection", "service_operation", "network_timeout"],
});

/**
 * Ends this account's grants, each with connection.revoked, deletes the customer's passkeys, and closes the uncharged
 * cards of the grants. The customer's wallet at the provider stays (docs/contract.md, section 14.2). Consent is
 * withdrawn at every provider, ready or not. A pending code becomes invalid. A second call closes only the cards that
 * the provider could not close before. Errors: as `RevokeHandle`; the grants end even then.
 */
export async function revokeHandle(
  ctx: Context,
  { params }: Pick<Input<typeof RevokeHandle>, "params">,
): Promise<PaymentHandleConnection> {
  const { handle } = params;

  const wasAsked = await transaction(async (tx) => {
    const connections = await lockConnections(tx, ctx.account.id, handle);
    for (const { provider, status } of connections) {
      const key = { accountId: ctx.account.id, provider, handle };
      if (status !== "revoked") await endConnection(tx, ctx, key);
      if (status === "connected") await emitRevoked(tx, ctx, key);
    }
    await removePasskeys(tx, { accountId: ctx.account.id, handle, at: ctx.now, isRevoked: true });
    return connections.length > 0;
  });

  if (wasAsked) await endReadyPayments(ctx, handle);
  return { handle, status: wasAsked ? "revoked" : "not_connected" };
}

const REVOKE_HANDLE_CONNECTION = plannedStatement(
  "revoke-handle-connection",
  `update handle_connections
  set status = 'revoked', verification_id = null, code_hash = null, code_expires_at = null, approved_at = null,
    revoked_at = :now, updated_at = :now
  where account_id = :accountId and provider = :provider and handle = :handle`,
);

async function endConnection(tx: Sql, ctx: Context, key: ConnectionKey): Promise<void> {
  await tx.run(REVOKE_HANDLE_CONNECTION, {
    accountId: key.accountId,
    provider: key.provider,
    handle: key.handle,
    now: ctx.now,
  });
}

const FIND_READY_PAYMENTS = plannedStatement(
  "find-ready-payments",
  `select ${PAYMENT_COLUMNS} from agent_payments
  where account_id = :accountId and handle = :handle and status = 'ready'`,
);

// Tries to close every card before reporting the first failure. Cards that stay open are no longer handed out or
// approved.
async function endReadyPayments(ctx: Context, handle: string): Promise<void> {
  const ready = await sql.run(FIND_READY_PAYMENTS, { accountId: ctx.account.id, handle });
  const ended = await Promise.allSettled(ready.map((payment) => cancelRevoked(payment, ctx.now)));
  const failed = ended.find((each) => each.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

async function emitRevoked(
  tx: Sql,
  ctx: Context,
  { accountId, provider, handle }: ConnectionKey,
): Promise<void> {
  await recordAudit(tx, ctx, "handle_connection.revoked", "handle_connection", handle, { provider });
  const data = { handle, provider, status: "revoked" as const, revoked_at: ctx.now.toISOString() };
  const about = { accountId, lineId: null, chatId: null, messageId: null, traceId: ctx.traceId, at: ctx.now };
  await emitEvents(tx, [newEvent(CONNECTION_EVENTS["connection.revoked"], about, data)]);
}
