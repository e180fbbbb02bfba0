import "server-only";
import { type Change, changedBy } from "@/lib/events/store/emit-account-event";
import { findAccountIds } from "@/lib/identity/accounts/find-account-ids";
import type { AuditAction, UserAction } from "@/lib/identity/audit/audit-actions";
import { actorId } from "@/lib/identity/audit/record-audit";
import type { Actor, Context } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { requestClient } from "@/lib/platform/http/request-client";
import { newId, newTraceId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";

/** A change to the people of a partner. It affects all of the partner's accounts. */
export interface PartnerChange {
  partnerId: string;
  actor: Actor;
  traceId: string;
  at: Date;
}

/** A partner change made by a request in one of its accounts. */
export function partnerChangeOf({ account, actor, traceId, now: at }: Context): PartnerChange {
  return { partnerId: account.partnerId, actor, traceId, at };
}

/** A partner change made by the operator or by Trunkline. */
export function systemPartnerChange(partnerId: string): PartnerChange {
  return { partnerId, actor: { type: "system" }, traceId: newTraceId(), at: now() };
}

/** The change for account events, which go to every account of the partner. */
export async function eventChange(tx: Sql, change: PartnerChange): Promise<Change> {
  const { partnerId, actor, traceId, at } = change;
  return { accountIds: await findAccountIds(tx, partnerId), ...changedBy(actor), traceId, at };
}

/** Adds a change to a person to the partner's audit log, in the transaction of the change. */
export function recordMemberAudit(
  tx: Sql,
  change: PartnerChange,
  userId: string,
  action: UserAction,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  return recordEntry(tx, change, { action, type: "user", id: userId }, detail);
}

/** Adds a change to a partner itself to its audit log, in the transaction of the change. */
export function recordPartnerAudit(
  tx: Sql,
  change: PartnerChange,
  action: Extract<AuditAction, `partner.${string}`>,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  return recordEntry(tx, change, { action, type: "partner", id: change.partnerId }, detail);
}

const RECORD_MEMBER_AUDIT = statement(
  "record-member-audit",
  `insert into audit_entries
    (id, partner_id, actor_type, actor_id, action, object_type, object_id, detail, trace_id, created_at, address)
  values (:id, :partnerId, :actorType, :actorId, :action, :entryType, :entryId, :detail, :traceId, :createdAt, :address)`,
);

async function recordEntry(
  tx: Sql,
  change: PartnerChange,
  entry: { action: AuditAction; type: "user" | "partner"; id: string },
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { partnerId, actor, traceId, at } = change;
  await tx.run(RECORD_MEMBER_AUDIT, {
    id: newId(at.getTime()),
    partnerId,
    actorType: actor.type,
    actorId: actorId(actor),
    action: entry.action,
    entryType: entry.type,
    entryId: entry.id,
    detail: JSON.stringify(detail),
    traceId,
    createdAt: at,
    address: requestClient().address,
  });
}
