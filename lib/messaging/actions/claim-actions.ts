import "server-only";
import type { ActionTarget } from "@/lib/adapters/transports/actions";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { isSendableHereSql, sessionParameters } from "@/lib/lines/connections/held-sessions";
import { byKey, sql } from "@/lib/platform/database/db";
import type { ServiceType } from "@/lib/platform/prisma/enums";
import { clockParameters, platformNowSql } from "@/lib/platform/time/clock";

const LEASE_SECONDS = 60;

/** An action that this process may perform until its lease ends. */
export interface ClaimedAction {
  account_id: string;
  id: string;
  /** Its position in the chat's order of acceptance, which includes messages. */
  position: string;
  chat_id: string;
  line_id: string;
  message_id: string | null;
  kind: string;
  payload: unknown;
  trace_id: string;
  created_at: Date;
  /** Number of claims, including this one. */
  attempts: number;
  /** Number of earlier claims at which a required message was still in progress. */
  waits: number;
  transport: string;
  phone_number: string;
  line_type: ServiceType;
  is_group: boolean;
  group_ref: string | null;
  /** The service of its message, otherwise the current one of its chat; null while it is unknown. */
  service: ServiceType | null;
  recipients: string[];
}

/** SQL: claims the oldest action of each chat, if it is due and its line meets the condition. */
const claimText = (lineCondition: string) => `with due as (
             select a.account_id, a.id from chat_actions a
             where a.run_at <= ${platformNowSql("$1", "$3")} and (a.lease_until is null or a.lease_until < clock_timestamp())
               and not exists (
                 select 1 from chat_actions earlier
                 where earlier.account_id = a.account_id and earlier.chat_id = a.chat_id
                   and earlier.position < a.position)
               and exists (
                 select 1 from lines l where l.account_id = a.account_id and l.id = a.line_id and ${lineCondition})
             order by a.run_at limit $2 for update of a skip locked
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

const CLAIM = claimText(`l.is_up and ${isSendableHereSql("l", { transports: "$4", accounts: "$5" })}`);
const CLAIM_STOPPED = claimText("l.is_stopped");

/** Claims the oldest action of each chat, if it is due and the line is up. */
export function claimActions(limit: number): Promise<ClaimedAction[]> {
  const [frozenAt, offsetMs] = clockParameters();
  return sql.query<ClaimedAction>({
    name: "claim-actions",
    text: CLAIM,
    values: [frozenAt, limit, offsetMs, ...sessionParameters()],
  });
}

/** Claims the oldest action of each chat of archived accounts, whose lines are stopped. */
export function claimStoppedActions(limit: number): Promise<ClaimedAction[]> {
  const [frozenAt, offsetMs] = clockParameters();
  return sql.query<ClaimedAction>({
    name: "claim-stopped-actions",
    text: CLAIM_STOPPED,
    values: [frozenAt, limit, offsetMs],
  });
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
