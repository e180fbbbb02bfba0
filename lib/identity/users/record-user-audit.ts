import "server-only";
import type { UserAction } from "@/lib/identity/audit/audit-actions";
import type { Sql } from "@/lib/platform/database/db";
import { requestClient } from "@/lib/platform/http/request-client";
import { newId, newTraceId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";

/**
 * Records a user's action outside any account, for every partner of the user, in the caller's transaction; `actorType` is `system` for an operator. */
export async function recordUserAudit(
  tx: Sql,
  userId: string,
  action: UserAction,
  {
    actorType = "user",
    traceId = newTraceId(),
    detail = {},
  }: { actorType?: "user" | "system"; traceId?: string; detail?: Record<string, unknown> } = {},
): Promise<void> {
  const at = now();
  const partners = await tx.query<{ partner_id: string }>({
    name: "partners-of-user",
    text: "select partner_id from memberships where user_id = $1",
    values: [userId],
  });
  const partnerIds = partners.length === 0 ? [null] : partners.map((row) => row.partner_id);
  await tx.query({
    name: "record-user-audit",
    text: `insert into audit_entries
             (id, partner_id, actor_type, actor_id, action, object_type, object_id, detail, trace_id, created_at, address)
           select id, partner_id, $3, $4, $5, 'user', $6, $7, $8, $9, $10
           from unnest($1::uuid[], $2::uuid[]) as entry(id, partner_id)`,
    values: [
      partnerIds.map(() => newId(at.getTime())),
      partnerIds,
      actorType,
      actorType === "user" ? userId : null,
      action,
      userId,
      JSON.stringify(detail),
      traceId,
      at,
      requestClient().address,
    ],
  });
}
