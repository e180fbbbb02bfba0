import "server-only";
import { z } from "zod";
import { actorSql, NamedActor } from "@/lib/identity/audit/actor-sql";
import { toResponsePart } from "@/lib/messaging/content/message-part";
import { Position } from "@/lib/messaging/messages/message-position";
import { ScheduledMessage, storedPartsOf } from "@/lib/messaging/scheduled/scheduled-message";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { errorDocUrl } from "@/lib/platform/errors/error-doc-url";
import { documentedError } from "@/lib/platform/errors/error-guidance";
import { exportOf } from "@/lib/platform/lists/export-of";
import { cursorParameter, decodeCursor, limitParameter, toPage } from "@/lib/platform/lists/page";
import { countSql, ListTotal, totalOf } from "@/lib/platform/lists/total-of";

/** A scheduled message of any chat, as the dashboard lists it. */
const ScheduledMessageView = ScheduledMessage.pick({
  id: true,
  chat_id: true,
  send_at: true,
  is_voice_memo: true,
  parts: true,
  created_at: true,
})
  .extend({
    /** `waiting`: for its time; `refused`: it was due, and a send of then would have failed. */
    status: z.enum(["waiting", "refused"]),
    chat_name: z.string().nullable(),
    /** The handles of the chat's other members. */
    recipients: z.array(z.string()),
    /** The number of the line that sends it. */
    line: z.string(),
    by: NamedActor,
    /** Why it was refused, while the message is stored. */
    failure: z.object({ code: z.int(), title: z.string(), reason: z.string(), doc_url: z.url() }).nullable(),
  })
  .meta({ id: "ScheduledMessageView" });

export type ScheduledMessageView = z.infer<typeof ScheduledMessageView>;

export const ListScheduledMessageViews = contract({
  summary: "List the scheduled messages of all chats",
  tag: "Messages",
  right: "view_chats",
  query: z.object({
    /** waiting: the next one first; refused: in the last 30 days, the newest first. */
    status: z.enum(["waiting", "refused"]).default("waiting"),
    line_id: z.uuid().optional(),
    cursor: cursorParameter,
    limit: limitParameter(100, 50),
  }),
  returns: z.object({
    scheduled_messages: z.array(ScheduledMessageView),
    next_cursor: z.string().nullable(),
    total: ListTotal,
  }),
  status: 200,
  errors: ["parameter_invalid"],
});

const OF_LINE = "(:lineId::uuid is null or c.line_id = :lineId)";

const CHAT_COLUMNS = `c.display_name, l.phone_number as line, array(
    select p.handle from participants p
    where p.account_id = c.account_id and p.chat_id = c.id and not p.is_me and p.status = 'active'
    order by p.joined_at, p.id) as "recipients!: string[]"`;

const JOIN_CHAT = `join chats c on c.account_id = s.account_id and c.id = s.chat_id
  join lines l on l.account_id = c.account_id and l.id = c.line_id`;

const BY = `${actorSql("s.actor_type", "s.actor_id", "s.account_id")} as "by: ActorName"`;

const WAITING = `from scheduled_messages s ${JOIN_CHAT}
  where s.account_id = :accountId and s.due_at is not null and ${OF_LINE}`;

const LIST_WAITING_MESSAGES = plannedStatement(
  "list-waiting-messages",
  `select s.id, s.chat_id, s.kind, s.parts as "parts!", s.due_at as "due_at!", s.position, s.created_at, ${BY}, ${CHAT_COLUMNS}
  ${WAITING} and (s.due_at, s.position) > (:afterTime::timestamptz, :afterPosition::bigint)
  order by s.due_at, s.position limit :limit`,
);

const COUNT_WAITING_MESSAGES = plannedStatement("count-waiting-messages", countSql(`select ${WAITING}`));

const OF_REFUSED = `s.account_id = :accountId and s.refused_at is not null and ${OF_LINE}`;

// The message is stored as failed. A retention or an erasure may have emptied or deleted it since.
const LIST_REFUSED_MESSAGES = plannedStatement(
  "list-refused-messages",
  `select s.id, s.chat_id, coalesce(m.kind, s.kind) as "kind!", coalesce(m.parts, '[]') as "parts!", s.refused_at as "due_at!",
    s.position, s.created_at, m.failure_code, m.failure_reason, ${BY}, ${CHAT_COLUMNS}
  from scheduled_messages s ${JOIN_CHAT}
    left join messages m on m.account_id = s.account_id and m.id = s.id and m.deleted_at is null
  where ${OF_REFUSED} and (s.refused_at, s.position) < (:beforeTime::timestamptz, :beforePosition::bigint)
  order by s.refused_at desc, s.position desc limit :limit`,
);

const COUNT_REFUSED_MESSAGES = plannedStatement(
  "count-refused-messages",
  countSql(`select from scheduled_messages s ${JOIN_CHAT} where ${OF_REFUSED}`),
);

const CursorKey = z.tuple([z.iso.datetime(), Position]);
const FIRST = ["1970-01-01T00:00:00.000Z", "0"] as const;
const LAST = ["9999-12-31T00:00:00.000Z", "9223372036854775807"] as const;

type WaitingRow = RowOf<"list-waiting-messages">;
type Row = WaitingRow & Partial<Pick<RowOf<"list-refused-messages">, "failure_code" | "failure_reason">>;

/** Lists the messages of all chats that wait, or that were refused when they were due. Errors: parameter_invalid. */
export async function listScheduledMessageViews(
  ctx: Context,
  { query }: Pick<Input<typeof ListScheduledMessageViews>, "query">,
) {
  const { status, cursor } = query;
  const of = { accountId: ctx.account.id, lineId: query.line_id ?? null };
  const rows = await readRows(of, query);
  const page = toPage<Row>(rows, query.limit, (row) => [row.due_at.toISOString(), row.position]);
  const total = await totalOf(ctx, page, {
    cursor,
    count: (tx) => tx.run(status === "waiting" ? COUNT_WAITING_MESSAGES : COUNT_REFUSED_MESSAGES, of),
  });
  const scheduled_messages = page.items.map((row) => toView(row, status));
  return { scheduled_messages, next_cursor: page.nextCursor, total };
}

function readRows(
  of: { accountId: string; lineId: string | null },
  { status, cursor, limit }: Input<typeof ListScheduledMessageViews>["query"],
): Promise<Row[]> {
  const start = status === "waiting" ? FIRST : LAST;
  const [time, position] = cursor === undefined ? start : decodeCursor(cursor, CursorKey);
  const more = { ...of, limit: limit + 1 };
  return status === "waiting"
    ? sql.run(LIST_WAITING_MESSAGES, { ...more, afterTime: new Date(time), afterPosition: position })
    : sql.run(LIST_REFUSED_MESSAGES, { ...more, beforeTime: new Date(time), beforePosition: position });
}

function toView(row: Row, status: ScheduledMessageView["status"]): ScheduledMessageView {
  return {
    id: row.id,
    chat_id: row.chat_id,
    send_at: row.due_at.toISOString(),
    is_voice_memo: row.kind === "voice_memo",
    parts: storedPartsOf(row).map(toResponsePart),
    created_at: row.created_at.toISOString(),
    status,
    chat_name: row.display_name,
    recipients: row.recipients,
    line: row.line,
    by: row.by,
    failure: toFailure(row),
  };
}

function toFailure({ failure_code: code, failure_reason }: Row): ScheduledMessageView["failure"] {
  const documented = documentedError(code ?? 0);
  if (code == null || documented === undefined) return null;
  const { title } = documented;
  return { code, title, reason: failure_reason ?? title, doc_url: errorDocUrl(code) };
}

/** Scheduled messages as CSV. */
export const exportScheduledMessages = exportOf(ListScheduledMessageViews, listScheduledMessageViews, {
  summary: "Export scheduled messages as CSV",
  filename: "scheduled-messages.csv",
  pageRows: 100,
  itemsOf: (page) => page.scheduled_messages,
  columns: {
    id: ({ id }) => id,
    chat_id: ({ chat_id }) => chat_id,
    status: ({ status }) => status,
    send_at: ({ send_at }) => send_at,
    recipients: ({ recipients }) => recipients.join(" "),
    line: ({ line }) => line,
    text: ({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.value] : [])).join("\n"),
    by: ({ by }) => by?.name ?? by?.type,
    created_at: ({ created_at }) => created_at,
    error_code: ({ failure }) => failure?.code,
    reason: ({ failure }) => failure?.reason,
  },
});
