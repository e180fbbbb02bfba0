import "server-only";
import type { ActionTarget } from "@/lib/adapters/transports/actions";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { isSendableHereSql, sessionParameters } from "@/lib/lines/connections/held-sessions";
import { byKey, sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { clockParameters, platformNowSql } from "@/lib/platform/time/clock";

const LEASE_SECONDS = 60;

/**
 * An action that this process may perform until its lease ends. Its `position` is in the chat's order of acceptance, which
 * includes messages; `attempts` counts the claims, including this one, and `waits` the earlier claims at which a required
 * message was still in progress. `service` is that of its message, otherwise the current one of its chat.
 */
export type ClaimedAction = RowOf<"claim-actions">;

/** SQL: claims the oldest action of each chat, if it is due and its line meets the condition. */
const claimText = (lineCondition: string) => `with due as (
             select a.account_id, a.id from chat_actions a
             where a.run_at <= ${platformNowSql()} and (a.lease_until is null or a.lease_until < clock_timestamp())
               and not exists (
                 select 1 from chat_actions earlier
                 where earlier.account_id = a.account_id and earlier.chat_id = a.chat_id
                   and earlier.position < a.position)
               and exists (
                 select 1 from lines l where l.account_id = a.account_id and l.id = a.line_id and ${lineCondition})
             order by a.run_at limit :limit for update of a skip locked
           ), claimed as (
             update chat_actions a set attempts = a.attempts + 1,
               lease_until = clock_timestamp() + interval '${LEASE_SECONDS} seconds'
             from due where ${byKey("a", { account_id: "due.account_id", id: "due.id" })}
             returning a.*
           )
           select a.account_id, a.id, a.position, a.chat_id, a.line_id, a.message_id, a.kind, a.payload, a.trace_id, a.created_at,
             a.attempts, a.waits, l.transport, l.phone_number, l.line_type, c.is_group, c.transport_ref as group_ref,
             coalesce((select m.service from messages m
               where m.account_id = a.account_id and m.id = a.message_id), c.service) as service,
             array(select p.handle from participants p
               where p.account_id = a.account_id and p.chat_id = a.chat_id and not p.is_me and p.status = 'active'
               order by p.id) as recipients
           from claimed a cross join lateral (
             select * from lines l where l.account_id = a.account_id and l.id = a.line_id offset 0
           ) l cross join lateral (
             select * from chats c where c.account_id = a.account_id and c.id = a.chat_id offset 0
           ) c`;

const CLAIM = statement("claim-actions", claimText(`l.is_up and ${isSendableHereSql("l")}`));
const CLAIM_STOPPED = statement("claim-stopped-actions", claimText("l.is_stopped"));

/** Claims the oldest action of each chat, if it is due and the line is up. */
export function claimActions(limit: number): Promise<ClaimedAction[]> {
  return sql.run(CLAIM, { limit, ...clockParameters(), ...sessionParameters() });
}

/** Claims the oldest action of each chat of archived accounts, whose lines are stopped. */
export function claimStoppedActions(limit: number): Promise<ClaimedAction[]> {
  return sql.run(CLAIM_STOPPED, { limit, ...clockParameters() });
}

/** The target of a claimed action. */
export function targetOf(action: ClaimedAction): ActionTarget {
  const line: LineRef = {
    accountId: action.account_id,
    id: action.line_id,
    phoneNumber: action.phone_number,
    lineType: action.line_type,
  };
  const group = action.is_group ? { chatId: action.chat_id, ref: action.group_ref } : null;
  return { line, service: action.service, to: action.recipients, group };
}
