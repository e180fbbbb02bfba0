import "server-only";
import type { UserAction } from "@/lib/identity/audit/audit-actions";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { requestClient } from "@/lib/platform/http/request-client";
import { newId, newTraceId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";

const PARTNERS_OF_USER = statement(
  "partners-of-user",
  "select partner_id from memberships where user_id = :userId",
);

const RECORD_USER_AUDIT = statement(
  "record-user-audit",
  `insert into audit_entries
    (id, partner_id, actor_type, actor_id, action, object_type, object_id, detail, trace_id, created_at, address)
  select id, partner_id, :actorType, :actorId, :action, 'user', :userId, :detail, :traceId, :at, :address
  from unnest(:entryIds::uuid[], :partnerIds::uuid[]) as entry(id, partner_id)`,
);

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
  const partners = await tx.run(PARTNERS_OF_USER, { userId });
  const partnerIds = partners.length === 0 ? [null] : partners.map((row) => row.partner_id);
  await tx.run(RECORD_USER_AUDIT, {
    entryIds: partnerIds.map(() => newId(at.getTime())),
    partnerIds,
    actorType,
    actorId: actorType === "user" ? userId : null,
    action,
    userId,
    detail: JSON.stringify(detail),
    traceId,
    at,
    address: requestClient().address,
  });
}
