import "server-only";
import { storedEventsCte } from "@/lib/events/emit-event";
import { batched } from "@/lib/platform/batch";
import { type Sql, sql } from "@/lib/platform/db";
import type { DeliveryStatus, ParticipantStatus, ServiceType } from "@/lib/platform/prisma/enums";

/** A send that was authenticated and parsed. Its ids are made by the caller, so a batch can be told apart. */
export interface NewMessage {
  accountId: string;
  isSandbox: boolean;
  chatId: string;
  id: string;
  eventId: string;
  parts: string;
  effect: string | null;
  replyTo: string | null;
  repliedTo: string | null;
  preferredService: ServiceType | null;
  idempotencyKey: string | null;
  overrideOptout: boolean;
  traceId: string;
  at: Date;
}

/** What became of a send. Only `accepted` wrote anything. */
export type Outcome =
  | "accepted"
  | "replay"
  | "chat_missing"
  | "chat_left"
  | "line_restricted"
  | "service_unsupported"
  | "reply_missing"
  | "blocked"
  | "opted_out"
  | "never_wrote";

export interface Accepted {
  outcome: Outcome;
  /** The earlier message of the same idempotency key, when `replay`. */
  replayOf: string | null;
  /** Our own line in the chat. */
  sender: {
    id: string;
    handle: string;
    isMe: boolean;
    service: ServiceType;
    status: ParticipantStatus;
    joinedAt: Date;
    leftAt: Date | null;
  };
  lineType: ServiceType;
  deliveryStatus: DeliveryStatus;
}

interface AcceptedRow {
  outcome: Outcome | "ok";
  old_id: string | null;
  inserted: boolean;
  line_type: ServiceType;
  is_up: boolean;
  sender_id: string;
  handle: string;
  service: ServiceType;
  status: ParticipantStatus;
  joined_at: Date;
  left_at: Date | null;
}

const COLUMNS = [
  ["account_id", "uuid"],
  ["is_sandbox", "boolean"],
  ["chat_id", "uuid"],
  ["id", "uuid"],
  ["event_id", "uuid"],
  ["parts", "jsonb"],
  ["effect", "jsonb"],
  ["reply_to", "jsonb"],
  ["replied_to", "uuid"],
  ["preferred_service", "text"],
  ["idempotency_key", "text"],
  ["override_optout", "boolean"],
  ["trace_id", "text"],
  ["at", "timestamptz"],
] as const;

const ONE_ROW = `select ${COLUMNS.map(([name, type], index) => `$${index + 1}::${type} as ${name}`).join(", ")}, 1::bigint as ord`;

const MANY_ROWS = `select * from unnest(${COLUMNS.map(([, type], index) => `$${index + 1}::${type}[]`).join(", ")})
  with ordinality as t(${COLUMNS.map(([name]) => name).join(", ")}, ord)`;

/** Accepts one send. Exported for the bench, which runs the very statement by pgbench too. */
export const ACCEPT_ONE = { name: "accept-message", text: acceptText(ONE_ROW) };
const ACCEPT_MANY = { name: "accept-messages", text: acceptText(MANY_ROWS) };

/**
 * Idempotency, ownership, state, block, opt-out, the message, its job (dispatch_at) and its event in one round trip.
 * The lateral look-ups with `offset 0` keep every plan an index probe per row, whatever the tables' sizes.
 */
function acceptText(rows: string): string {
  return `with r as (${rows}), c as materialized (
    select r.*, old.id as old_id, ch.line_id, ch.line_type, ch.is_up, me.id as sender_id, me.handle, me.service,
      me.status::text as status, me.joined_at, me.left_at,
      case
        when old.id is not null then 'replay'
        when ch.id is null then 'chat_missing'
        when ch.left_at is not null then 'chat_left'
        when ch.line_status = 'FLAGGED' then 'line_restricted'
        when ch.line_type = 'RCS' and r.preferred_service = 'iMessage' then 'service_unsupported'
        when r.replied_to is not null and not exists (
          select 1 from messages m where m.account_id = r.account_id and m.id = r.replied_to
            and m.chat_id = r.chat_id and m.deleted_at is null) then 'reply_missing'
        when k.blocked_at is not null then 'blocked'
        when k.opted_out_at is not null and not r.override_optout then 'opted_out'
        when r.is_sandbox and exists (
          select 1 from participants p
          where p.account_id = r.account_id and p.chat_id = r.chat_id and not p.is_me and p.status = 'active'
            and not exists (
              select 1 from line_contacts lc
              where lc.account_id = r.account_id and lc.line_id = ch.line_id and lc.handle = p.handle)) then 'never_wrote'
        else 'ok'
      end as outcome
    from r
    left join lateral (
      select m.id from messages m where m.account_id = r.account_id and m.idempotency_key = r.idempotency_key offset 0
    ) old on true
    left join lateral (
      select ch.id, ch.line_id, ch.line_type, ch.left_at, ch.recipient_handle, l.status as line_status, l.is_up,
        l.phone_number
      from chats ch join lines l on l.account_id = ch.account_id and l.id = ch.line_id
      where ch.account_id = r.account_id and ch.id = r.chat_id offset 0
    ) ch on true
    left join lateral (
      select p.* from participants p
      where p.account_id = r.account_id and p.chat_id = r.chat_id and p.handle = ch.phone_number offset 0
    ) me on true
    left join lateral (
      select k.blocked_at, k.opted_out_at from contacts k
      where k.account_id = r.account_id and k.handle = ch.recipient_handle offset 0
    ) k on true
  ), ins as (
    insert into messages (account_id, id, chat_id, line_id, sender_id, is_from_me, parts, effect, reply_to,
      preferred_service, idempotency_key, trace_id, delivery_status, created_at, updated_at, dispatch_at)
    select account_id, id, chat_id, line_id, sender_id, true, parts, effect, reply_to,
      preferred_service::service_type, idempotency_key, trace_id,
      case when is_up then 'pending' else 'queued' end::delivery_status, at, at, at
    from c where outcome = 'ok' order by ord
    on conflict (account_id, idempotency_key) where idempotency_key is not null do nothing
    returning account_id, id, line_id, chat_id, trace_id, created_at
  ), accepted as (
    select c.ord, ins.account_id, c.event_id, 'message.accepted' as type, true as internal, ins.line_id, ins.chat_id,
      ins.id as message_id, ins.trace_id, '{}'::jsonb as data, ins.created_at as at
    from ins join c on c.id = ins.id
  ), ${storedEventsCte("accepted")}
  select c.outcome, c.old_id, ins.id is not null as inserted, c.line_type::text as line_type, c.is_up, c.sender_id,
    c.handle, c.service::text as service, c.status, c.joined_at, c.left_at
  from c left join ins on ins.id = c.id order by c.ord`;
}

const acceptBatched = batched<NewMessage, AcceptedRow>({
  runOne: (message) => acceptOne(sql, message),
  runMany: (messages) =>
    sql.query<AcceptedRow>({
      ...ACCEPT_MANY,
      values: transpose(messages.map(valuesOf)),
    }),
  keyOf: (message) => (message.idempotencyKey === null ? null : message.accountId + message.idempotencyKey),
  besideAfterMs: 1,
});

/**
 * Accepts a send, or says why not. One round trip; sends that arrive while a statement is in flight share the next.
 * The statement starts after the request came, so an opt-out stored before it holds (contract.md 0). In a transaction
 * pass `tx`.
 */
export async function acceptMessage(message: NewMessage, tx?: Sql): Promise<Accepted> {
  const accept = () => (tx === undefined ? acceptBatched(message) : acceptOne(tx, message));
  const row = await accept();
  // Another instance stored the same key between our look and our insert: now it can be seen.
  const settled = row.outcome === "ok" && !row.inserted ? await accept() : row;
  if (settled.inserted) {
    (tx ?? sql).wake("messages");
    (tx ?? sql).wake("events");
  }
  return toAccepted(settled);
}

async function acceptOne(on: Sql, message: NewMessage): Promise<AcceptedRow> {
  const [row] = await on.query<AcceptedRow>({ ...ACCEPT_ONE, values: valuesOf(message) });
  if (row === undefined) throw new Error("the accept statement answered no row");
  return row;
}

function valuesOf(message: NewMessage): unknown[] {
  return [
    message.accountId,
    message.isSandbox,
    message.chatId,
    message.id,
    message.eventId,
    message.parts,
    message.effect,
    message.replyTo,
    message.repliedTo,
    message.preferredService,
    message.idempotencyKey,
    message.overrideOptout,
    message.traceId,
    message.at,
  ];
}

function transpose(rows: unknown[][]): unknown[][] {
  return COLUMNS.map((_, column) => rows.map((row) => row[column]));
}

function toAccepted(row: AcceptedRow): Accepted {
  return {
    outcome: row.outcome === "ok" ? "accepted" : row.outcome,
    replayOf: row.old_id,
    sender: {
      id: row.sender_id,
      handle: row.handle,
      isMe: true,
      service: row.service,
      status: row.status,
      joinedAt: row.joined_at,
      leftAt: row.left_at,
    },
    lineType: row.line_type,
    deliveryStatus: row.is_up ? "pending" : "queued",
  };
}
