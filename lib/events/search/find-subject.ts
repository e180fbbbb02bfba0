import "server-only";
import { EVENT_TYPES } from "@/lib/events/catalog/event-types";
import { isTrace } from "@/lib/events/store/event-blocks";
import type { Parameters } from "@/lib/events/store/event-conditions";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { Handle } from "@/lib/platform/text/phone-handle";

/** The types of objects that a search text can be recognized as. */
export const SUBJECT_KINDS = [
  "event",
  "message",
  "chat",
  "line",
  "contact",
  "delivery",
  "subscription",
  "replay",
  "attachment",
  "payment_request",
  "trace",
] as const;

export type SubjectKind = (typeof SUBJECT_KINDS)[number];

export interface Subject {
  kind: SubjectKind;
  /** The object's id; for a contact its handle, for a trace the trace id. */
  id: string;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TRACE_ID = /^[0-9a-f]{32}$/;
const EVENT_NUMBER = /^#?(\d{1,15})$/;

const FIND_SUBJECT_BY_ID = plannedStatement(
  "find-subject-by-id",
  `select kind as "kind!: SubjectKind", :id::uuid as "id!" from (
    select 1 as rank, 'event' as kind from events where account_id = :accountId and id = :id::uuid and not internal
    union all select 2, 'message' from messages where account_id = :accountId and id = :id::uuid
    union all select 3, 'chat' from chats where account_id = :accountId and id = :id::uuid
    union all select 4, 'line' from lines where account_id = :accountId and id = :id::uuid
    union all select 5, 'delivery' from webhook_deliveries where account_id = :accountId and id = :id::uuid
    union all select 6, 'subscription' from webhook_subscriptions where account_id = :accountId and id = :id::uuid
    union all select 7, 'replay' from webhook_replays where account_id = :accountId and id = :id::uuid
    union all select 8, 'attachment' from attachments where account_id = :accountId and id = :id::uuid
    union all select 9, 'payment_request' from payment_requests where account_id = :accountId and id = :id::uuid
  ) t order by rank limit 1`,
);

const FIND_SUBJECT_BY_NUMBER = plannedStatement(
  "find-subject-by-number",
  `select 'event' as "kind: 'event'", id from events where account_id = :accountId and seq = :number::bigint and not internal`,
);

const FIND_SUBJECT_BY_HANDLE = plannedStatement(
  "find-subject-by-handle",
  `(select 'line' as "kind: 'line' | 'contact'", id::text as "id!" from lines
    where account_id = :accountId and phone_number = :handle)
  union all (select 'contact', handle from participants
    where account_id = :accountId and handle = :handle and not is_me limit 1)
  limit 1`,
);

/**
 * Recognizes the text in the search box: an id of an object type in `SUBJECT_KINDS`, the number of an event, a trace
 * id, a line's phone number or a contact's handle. null when the account has no such object. Errors: parameter_invalid.
 */
export async function findSubject(tx: Sql, accountId: string, words: string): Promise<Subject | null> {
  const text = words.trim().toLowerCase();
  if (TRACE_ID.test(text)) return { kind: "trace", id: text };
  if (UUID.test(text)) return first(await tx.run(FIND_SUBJECT_BY_ID, { accountId, id: text }));
  const number = EVENT_NUMBER.exec(text)?.[1];
  if (number !== undefined) {
    const event = first(await tx.run(FIND_SUBJECT_BY_NUMBER, { accountId, number }));
    return event ?? first(await tx.run(FIND_SUBJECT_BY_HANDLE, { accountId, handle: `+${number}` }));
  }
  const handle = Handle.safeParse(text.replaceAll(/[\s()-]/g, ""));
  if (handle.success) {
    return first(await tx.run(FIND_SUBJECT_BY_HANDLE, { accountId, handle: handle.data }));
  }
  return fail("parameter_invalid", "q must be an ID, event number, trace ID, phone number or email address");
}

function first(rows: readonly Subject[]): Subject | null {
  return rows[0] ?? null;
}

const DELIVERIES = "select d.event_seq from webhook_deliveries d where d.account_id = $account";
// Few events have these types, so their data can be searched without an index.
const OWN_TYPES = EVENT_TYPES.filter((type) => type.startsWith("webhook_subscription."));
const ABOUT_SUBSCRIPTION = `select o.seq from events o
  where o.account_id = $account and not o.internal and o.type in (${OWN_TYPES.map((type) => `'${type}'`).join(", ")})
    and o.data -> 'webhook_subscription' ->> 'id' = $id`;
const SHOWING =
  "select u.message_id from attachment_uses u where u.account_id = $account and u.attachment_id = $id";
const TRACE = "select p.trace_id from payment_requests p where p.account_id = $account and p.id = $id";
const CHATS = "select p.chat_id from participants p where p.account_id = $account and p.handle = $id";

const CONDITIONS = {
  event: "e.id = $id",
  message: "e.message_id = $id",
  chat: "e.chat_id = $id",
  line: "e.line_id = $id",
  contact: `e.chat_id = any(array(${CHATS}))`,
  delivery: `e.seq = any(array(${DELIVERIES} and d.id = $id))`,
  subscription: `e.seq in (${DELIVERIES} and d.subscription_id = $id union all ${ABOUT_SUBSCRIPTION})`,
  replay: `e.seq in (${DELIVERIES} and d.replay_id = $id)`,
  attachment: `e.message_id = any(array(${SHOWING}))`,
  payment_request: isTrace("e.trace_id", `(${TRACE})`),
  trace: isTrace("e.trace_id", "$id"),
} satisfies Record<SubjectKind, string>;

/** A condition on `events e` for events about the subject. */
export function subjectCondition(parameters: Parameters, accountId: string, { kind, id }: Subject): string {
  const withAccount = CONDITIONS[kind].replaceAll("$account", () => parameters.add(accountId));
  return withAccount.replaceAll("$id", () => parameters.add(id));
}
