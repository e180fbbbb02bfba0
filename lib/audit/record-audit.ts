import "server-only";
import type { Actor, Context } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/db";
import { newId } from "@/lib/platform/ids";

/**
 * Notes who did what, in the transaction of the deed: `action` is `<object>.<verb>` ("webhook_subscription.created"),
 * `detail` holds what changed and never a secret.
 */
export async function recordAudit(
  tx: Sql,
  ctx: Context,
  action: string,
  objectType: string,
  objectId: string | null,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await tx.query({
    name: "record-audit",
    text: `insert into audit_entries
             (id, partner_id, account_id, actor_type, actor_id, action, object_type, object_id, detail, trace_id, created_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    values: [
      newId(ctx.now.getTime()),
      ctx.account.partnerId,
      ctx.account.id,
      ctx.actor.type,
      actorId(ctx.actor),
      action,
      objectType,
      objectId,
      JSON.stringify(detail),
      ctx.traceId,
      ctx.now,
    ],
  });
}

function actorId(actor: Actor): string | null {
  if (actor.type === "api") return actor.tokenId;
  return actor.type === "user" ? actor.userId : null;
}
