import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { limitParameter } from "@/lib/platform/lists/page";
import { maxUnits } from "@/lib/platform/text/max-units";
import { Handle, PhoneNumber } from "@/lib/platform/text/phone-handle";
import { ReceivedMessage } from "@/lib/simulator/phone";
import { hideSecrets, maySeeSecrets } from "@/lib/simulator/phones/screen/hide-secrets";
import { requireSandbox } from "@/lib/simulator/require-sandbox";
import { containedText, waitTimeout } from "@/lib/simulator/wait-parameters";
import { waitUntilFound } from "@/lib/simulator/wait-until";

/** Older messages of a line are not searched. */
const SEARCHED_PER_LINE = 500;

/** A time, or the id of a message. */
const After = z.union([z.iso.datetime({ offset: true }), z.string().min(1).check(maxUnits(200))]);

const OutboxMessage = ReceivedMessage.extend({
  to: z.string().describe("Handle of the phone that received the message."),
  message_id: z.uuid().describe("ID of the message in the API."),
  chat_id: z.uuid().nullable().describe("ID of the chat in the API; `null` if the chat was deleted."),
});

type OutboxMessage = z.infer<typeof OutboxMessage>;

export const ListOutbox = contract({
  summary: "List or wait for messages that phones received",
  description: `Returns the messages from the account's lines that reached simulated phones, oldest first, as they were sent. With \`timeout\`, the request waits until at least one message matches. Use it in tests instead of polling. Searches the last ${SEARCHED_PER_LINE} messages of each line.`,
  tag: "Simulator",
  right: "view_chats",
  sandboxOnly: true,
  query: z.object({
    to: Handle.optional().describe("Only messages to this phone."),
    line: PhoneNumber.optional().describe("Only messages from this line."),
    contains: containedText.describe("Only messages with a text or link that contains this text."),
    after: After.optional().describe(
      "Only messages that arrived after the message with this ID, or at this time or later.",
    ),
    limit: limitParameter(100, 100),
    timeout: waitTimeout,
  }),
  returns: z.object({
    messages: z
      .array(OutboxMessage)
      .meta({ description: "The newest matching messages, oldest first.", examples: [[]] }),
  }),
  status: 200,
  errors: ["parameter_invalid", "phone_not_e164", "rate_limited", "feature_not_available"],
  extension: true,
});

/**
 * Lists the messages that phones of the account received. Waits for the first match until `signal` is aborted. Errors:
 * as `ListOutbox`.
 */
export async function listOutbox(
  ctx: Context,
  { query }: Pick<Input<typeof ListOutbox>, "query">,
  signal: AbortSignal,
): Promise<{ messages: OutboxMessage[] }> {
  requireSandbox(ctx);
  const accountId = ctx.account.id;
  const after = query.after === undefined ? null : await positionOf(accountId, query.after);
  const rows = await waitUntilFound("phones", signal, () => findShown(ctx, query, after));
  return { messages: rows.map(toOutboxMessage) };
}

/** The arrival of a message; without `ref`, a time that is included. */
interface Position {
  at: Date;
  ref: string | null;
}

const FIND_OUTBOX_POSITION = plannedStatement(
  "find-outbox-position",
  `select max(s.delivered_at) as at from lines l join simulator_messages s
    on s.account_id = l.account_id and s.line_id = l.id
  where l.account_id = :accountId and s.ref = :after`,
);

async function positionOf(accountId: string, after: string): Promise<Position> {
  if (z.iso.datetime({ offset: true }).safeParse(after).success) return { at: new Date(after), ref: null };
  const [row] = await sql.run(FIND_OUTBOX_POSITION, { accountId, after });
  const at = row?.at ?? fail("parameter_invalid", "after: no phone of the account received this message");
  return { at, ref: after };
}

type Query = Input<typeof ListOutbox>["query"];

type ReceivedRow = RowOf<"list-outbox">;

/** Without the right to see secrets, the searched text is the shown one: a search would reveal a code otherwise. */
async function findShown(ctx: Context, query: Query, after: Position | null): Promise<ReceivedRow[]> {
  const accountId = ctx.account.id;
  const { contains, limit } = query;
  if (contains === undefined || maySeeSecrets(ctx)) {
    return hideSecrets(ctx, await findReceived(accountId, query, after));
  }
  const all = { ...query, contains: undefined, limit: SEARCHED_PER_LINE };
  const shown = await hideSecrets(ctx, await findReceived(accountId, all, after));
  return shown.filter(({ parts }) => parts.some((part) => holds(part, contains))).slice(-limit);
}

function holds({ value }: Record<string, unknown>, text: string): boolean {
  return typeof value === "string" && value.includes(text);
}

const LIST_OUTBOX = plannedStatement(
  "list-outbox",
  `select * from (
    select s.handle, s.ref, s.sender, l.phone_number as line, s.group_ref, s.service, s.parts, s.effect,
      s.created_at, s.delivered_at, s.read_at, s.message_id, m.chat_id
    from lines l cross join lateral (
      -- The reference of a line's message begins with the message's id.
      select s.*, left(s.ref, 36)::uuid as message_id from simulator_messages s
      where s.account_id = l.account_id and s.line_id = l.id order by s.ref desc limit ${SEARCHED_PER_LINE}
    ) s
    left join messages m on m.account_id = s.account_id and m.id = s.message_id
    where l.account_id = :accountId and l.released_at is null and s.sender = l.phone_number
      and s.delivered_at is not null
      and (:to::text is null or s.handle = :to) and (:line::text is null or l.phone_number = :line)
      and (:contains::text is null or exists (
        select from jsonb_array_elements(s.parts) part where strpos(part ->> 'value', :contains) > 0))
      and (:afterAt::timestamptz is null or s.delivered_at > :afterAt
        or (s.delivered_at = :afterAt and (:ref::text is null or s.ref > :ref)))
    order by s.delivered_at desc, s.ref desc, s.handle limit :limit
  ) newest order by delivered_at, ref, handle`,
);

function findReceived(accountId: string, query: Query, after: Position | null): Promise<ReceivedRow[]> {
  return sql.run(LIST_OUTBOX, {
    accountId,
    to: query.to ?? null,
    line: query.line ?? null,
    contains: query.contains ?? null,
    afterAt: after?.at ?? null,
    ref: after?.ref ?? null,
    limit: query.limit,
  });
}

function toOutboxMessage(row: ReceivedRow): OutboxMessage {
  return {
    id: row.ref,
    to: row.handle,
    message_id: row.message_id,
    chat_id: row.chat_id,
    from: row.sender,
    line: row.line,
    group: row.group_ref,
    service: row.service,
    parts: row.parts,
    effect: row.effect,
    created_at: row.created_at.toISOString(),
    delivered_at: row.delivered_at.toISOString(),
    read_at: row.read_at?.toISOString() ?? null,
  };
}
