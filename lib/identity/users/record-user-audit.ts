import "server-only";
import { now } from "@/lib/platform/clock";
import type { Sql } from "@/lib/platform/db";
import { newId, newTraceId } from "@/lib/platform/ids";
import { requestClient } from "@/lib/platform/request-client";

/** A change by a user outside any account. It is recorded for every partner of the user. */
export type UserAction =
  | "user.signed_in"
  | "user.signed_out"
  | "user.sign_in_failed"
  | "user.password_set"
  | "user.password_reset"
  | "user.password_reset_requested"
  | "user.identity_confirmed"
  | "user.identity_check_failed"
  | "user.session_ended"
  | "user.sessions_ended"
  | "user.passkey_added"
  | "user.passkey_renamed"
  | "user.passkey_removed"
  | "user.passkeys_removed"
  | "user.password_removed"
  | "user.operator_granted"
  | "user.operator_revoked";

/** Records a user's action in the caller's transaction; `actorType` is `system` for an operator. */
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
