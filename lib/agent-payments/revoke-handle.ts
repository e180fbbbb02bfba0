import "server-only";
import { type AgentPaymentRow, PAYMENT_COLUMNS } from "@/lib/agent-payments/agent-payment";
import { findReadyProvider } from "@/lib/agent-payments/card-provider-account";
import { cancelRevoked } from "@/lib/agent-payments/end-payment";
import {
  CONNECTION_COLUMNS,
  type ConnectionKey,
  type ConnectionRow,
  HandleParams,
  PaymentHandleConnection,
} from "@/lib/agent-payments/handle-connection";
import { recordAudit } from "@/lib/audit/record-audit";
import { emitEvents } from "@/lib/events/emit-event";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, sql, transaction } from "@/lib/platform/db";
import { requireRight } from "@/lib/users/role-rights";

export const RevokeHandle = contract({
  summary: "End a customer's connection",
  tag: "Agent payments",
  params: HandleParams,
  returns: PaymentHandleConnection,
  status: 200,
  errors: [
    "phone_not_e164",
    "feature_not_available",
    "service_connection",
    "service_operation",
    "network_timeout",
  ],
});

/**
 * Ends this account's grant, with connection.revoked, and the cards made under it that nobody has charged; the customer's
 * wallet at the provider stays (partner-api.md, Handle connection). A code that is on its way is good no more. Again, it
 * closes only what the provider did not close before. Errors: as `RevokeHandle`; the grant has ended all the same.
 */
export async function revokeHandle(
  ctx: Context,
  { params }: Pick<Input<typeof RevokeHandle>, "params">,
): Promise<PaymentHandleConnection> {
  requireRight(ctx, "manage_payments");
  const { handle } = params;
  const provider = await findReadyProvider(ctx);
  const key = { accountId: ctx.account.id, provider: provider.name, handle };

  const was = await transaction(async (tx) => {
    const before = await lockConnection(tx, key);
    if (before === null || before.status === "revoked") return before?.status ?? "not_connected";
    await endConnection(tx, ctx, key);
    if (before.status === "connected") await tellRevoked(tx, ctx, key);
    return before.status;
  });

  if (was !== "not_connected") await endReadyPayments(ctx, key);
  return { handle, status: was === "not_connected" ? "not_connected" : "revoked" };
}

async function lockConnection(tx: Sql, key: ConnectionKey): Promise<ConnectionRow | null> {
  const [row] = await tx.query<ConnectionRow>({
    text: `select ${CONNECTION_COLUMNS} from handle_connections
           where account_id = $1 and provider = $2 and handle = $3 for update`,
    values: [key.accountId, key.provider, key.handle],
  });
  return row ?? null;
}

async function endConnection(tx: Sql, ctx: Context, key: ConnectionKey): Promise<void> {
  await tx.query({
    text: `update handle_connections
           set status = 'revoked', ceremony_id = null, code_hash = null, code_expires_at = null, approved_at = null,
             revoked_at = $4, updated_at = $4
           where account_id = $1 and provider = $2 and handle = $3`,
    values: [key.accountId, key.provider, key.handle, ctx.now],
  });
}

// Each is tried before the first that failed is told. What is not closed now is handed out and approved no more.
async function endReadyPayments(ctx: Context, { accountId, provider, handle }: ConnectionKey): Promise<void> {
  const ready = await sql.query<AgentPaymentRow>({
    text: `select ${PAYMENT_COLUMNS} from agent_payments
           where account_id = $1 and handle = $2 and provider = $3 and status = 'ready'`,
    values: [accountId, handle, provider],
  });
  const ended = await Promise.allSettled(ready.map((payment) => cancelRevoked(payment, ctx.now)));
  const failed = ended.find((each) => each.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

async function tellRevoked(
  tx: Sql,
  ctx: Context,
  { accountId, provider, handle }: ConnectionKey,
): Promise<void> {
  await recordAudit(tx, ctx, "handle_connection.revoked", "handle_connection", handle, { provider });
  const data = { handle, provider, status: "revoked", revoked_at: ctx.now.toISOString() };
  const about = { lineId: null, chatId: null, messageId: null, traceId: ctx.traceId };
  await emitEvents(tx, [{ accountId, type: "connection.revoked", ...about, data, at: ctx.now }]);
}
