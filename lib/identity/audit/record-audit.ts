import "server-only";
import type { AuditAction } from "@/lib/identity/audit/audit-actions";
import type { Actor, Context } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { requestClient } from "@/lib/platform/http/request-client";
import { newId } from "@/lib/platform/ids";

/**
 * Adds an audit entry in the transaction of the change: `action` is `<object>.<verb>` ("webhook_subscription.created").
 * `detail` holds the changed values, never a secret.
 */
export async function recordAudit(
  tx: Sql,
  ctx: Context,
  action: AuditAction,
  objectType: string,
  objectId: string | null,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const by = { type: ctx.actor.type, id: actorId(ctx.actor), traceId: ctx.traceId };
  const scope = { partnerId: ctx.account.partnerId, accountId: ctx.account.id, at: ctx.now };
  await insertEntry(tx, by, scope, { action, objectType, objectId, detail });
}

/** Like `recordAudit`, but only for changes by users. Sends and reactions by programs are only in the request log. */
export async function recordUserChange(
  tx: Sql,
  ctx: Context,
  action: AuditAction,
  messageId: string,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  if (ctx.actor.type === "user") await recordAudit(tx, ctx, action, "message", messageId, detail);
}

/** Like `recordAudit`, for changes by the operator or by Trunkline itself. */
export async function recordSystemAudit(
  tx: Sql,
  scope: AuditScope,
  action: AuditAction,
  objectType: string,
  objectId: string | null,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const by = { type: "system", id: null, traceId: null };
  await insertEntry(tx, by, scope, { action, objectType, objectId, detail });
}

interface AuditScope {
  partnerId: string | null;
  accountId: string | null;
  at: Date;
}

interface Change {
  action: AuditAction;
  objectType: string;
  objectId: string | null;
  detail: Readonly<Record<string, unknown>>;
}

const RECORD_AUDIT = statement(
  "record-audit",
  `insert into audit_entries
    (id, partner_id, account_id, actor_type, actor_id, action, object_type, object_id, detail, trace_id, created_at,
     address)
  values (:id, :partnerId, :accountId, :byType, :byId, :action, :objectType, :objectId, :detail, :traceId, :scopeAt, :address)`,
);

async function insertEntry(
  tx: Sql,
  by: { type: string; id: string | null; traceId: string | null },
  scope: AuditScope,
  change: Change,
): Promise<void> {
  await tx.run(RECORD_AUDIT, {
    id: newId(scope.at.getTime()),
    partnerId: scope.partnerId,
    accountId: scope.accountId,
    byType: by.type,
    byId: by.id,
    action: change.action,
    objectType: change.objectType,
    objectId: change.objectId,
    detail: JSON.stringify(change.detail),
    traceId: by.traceId,
    scopeAt: scope.at,
    address: requestClient().address,
  });
}

/** The actor's id in audit entries; null for Trunkline itself. */
export function actorId(actor: Actor): string | null {
  if (actor.type === "api") return actor.tokenId;
  return actor.type === "user" ? actor.userId : null;
}
