import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/db";
import { decodeCursor, limitParameter, toPage } from "@/lib/platform/page";
import type { ServiceType } from "@/lib/platform/prisma/enums";
import { findPhone, PathHandle, ReceivedMessage } from "@/lib/simulator/phone";
import {
  editedParts,
  type PhoneAction,
  PhoneEdit,
  PhoneReaction,
  readScreen,
} from "@/lib/simulator/phone-screen";
import { requireSandbox } from "@/lib/simulator/require-sandbox";

const ACTIVITY_MOST = 100;

const ShownMessage = ReceivedMessage.extend({
  /** Its id in the API; null when nothing was stored of it (the phone is blocked). */
  message_id: z.uuid().nullable(),
  chat_id: z.uuid().nullable(),
  /** Texts lines gave its parts later, oldest first; `parts` shows the last. */
  edits: z.array(PhoneEdit),
  /** What lines put on it, and did not take off again. */
  reactions: z.array(PhoneReaction),
});

const Activity = z.object({
  id: z.uuid(),
  line: z.string(),
  /** The simulator's id of the group conversation; null in a direct one. */
  group: z.string().nullable(),
  /** typing, read, edit, react, set_name, share_contact_card … */
  action: z.string(),
  /** What the network was told of it: `is_on` of typing, `name` of set_name … */
  detail: z.record(z.string(), z.unknown()),
  created_at: z.iso.datetime(),
});

export const ListPhoneMessages = contract({
  summary: "List what a simulated phone got and wrote, and what lines did on it",
  tag: "Simulator",
  params: z.object({ handle: PathHandle }),
  query: z.object({ cursor: z.string().max(500).optional(), limit: limitParameter(100, 50) }),
  returns: z.object({
    messages: z.array(ShownMessage),
    /** What lines did in its chats besides writing: the last hundred things, newest first. */
    activity: z.array(Activity),
    next_cursor: z.string().nullable(),
  }),
  status: 200,
  errors: ["name_unknown", "feature_not_available"],
  extension: true,
});

/**
 * A phone's inbox, for a partner's tests to look at: its messages, newest first, as the phone shows them now, and what
 * lines did there. Errors: as `ListPhoneMessages`.
 */
export async function listPhoneMessages(
  ctx: Context,
  { params, query }: Pick<Input<typeof ListPhoneMessages>, "params" | "query">,
) {
  requireSandbox(ctx);
  const { handle } = await findPhone(ctx.account.id, params.handle);
  const [rows, activity] = await Promise.all([
    findMessages(ctx.account.id, handle, query),
    findActivity(ctx.account.id, handle),
  ]);
  const page = toPage(rows, query.limit, (row) => [row.created_at.toISOString(), row.ref]);
  const actions = await findActionsOn(
    ctx.account.id,
    handle,
    page.items.map(({ ref }) => ref),
  );
  return {
    messages: page.items.map((row) => toMessage(row, actions.get(row.ref) ?? [])),
    activity: activity.map(toActivity),
    next_cursor: page.nextCursor,
  };
}

interface MessageRow {
  ref: string;
  sender: string;
  line: string;
  group_ref: string | null;
  service: ServiceType;
  parts: Record<string, unknown>[];
  effect: Record<string, unknown> | null;
  created_at: Date;
  delivered_at: Date | null;
  read_at: Date | null;
  message_id: string | null;
  chat_id: string | null;
}

const CursorKey = z.tuple([z.iso.datetime(), z.string()]);

function findMessages(
  accountId: string,
  handle: string,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<MessageRow[]> {
  const [at, ref] = cursor === undefined ? ["infinity", ""] : decodeCursor(cursor, CursorKey);
  return sql.query<MessageRow>({
    name: "simulator-inbox",
    text: `select s.ref, s.sender, l.phone_number as line, s.group_ref, s.service, s.parts, s.effect, s.created_at,
             s.delivered_at, s.read_at, m.id as message_id, m.chat_id
           from simulator_messages s
           join lines l on l.account_id = s.account_id and l.id = s.line_id
           left join transport_refs r on r.account_id = s.account_id and r.line_id = s.line_id and r.ref = s.ref
           left join messages m on m.account_id = r.account_id and m.id = r.message_id
           where s.account_id = $1 and s.handle = $2 and s.created_at <= $3 and (s.created_at < $3 or s.ref < $4)
           order by s.created_at desc, s.ref desc limit $5`,
    values: [accountId, handle, at, ref, limit + 1],
  });
}

const ACTIONS = `select a.id, l.phone_number as line, a.group_ref, a.action, a.created_at
  from simulator_actions a join lines l on l.account_id = a.account_id and l.id = a.line_id
  where a.account_id = $1 and a.handles @> array[$2]`;

function findActivity(accountId: string, handle: string): Promise<PhoneAction[]> {
  return sql.query<PhoneAction>({
    name: "simulator-activity",
    text: `${ACTIONS} order by a.created_at desc, a.id desc limit ${ACTIVITY_MOST}`,
    values: [accountId, handle],
  });
}

/** What lines did to messages, by the message, oldest first. */
async function findActionsOn(accountId: string, handle: string, refs: readonly string[]) {
  const rows = await sql.query<PhoneAction & { ref: string }>({
    name: "simulator-actions-on",
    text: `with mine as materialized (${ACTIONS})
           select m.*, coalesce(m.action ->> 'ref', put.ref) as ref from mine m
           left join lateral (
             select p.action ->> 'ref' as ref from mine p
             where m.action ->> 'do' = 'move_sticker' and p.action ->> 'do' = 'react'
               and p.action ->> 'reactionId' = m.action ->> 'reactionId' limit 1
           ) put on true
           where coalesce(m.action ->> 'ref', put.ref) = any($3::text[])
           order by m.created_at, m.id`,
    values: [accountId, handle, refs],
  });
  return Map.groupBy(rows, ({ ref }) => ref);
}

function toMessage(row: MessageRow, actions: readonly PhoneAction[]): z.infer<typeof ShownMessage> {
  const { edits, reactions } = readScreen(actions);
  return {
    id: row.ref,
    message_id: row.message_id,
    chat_id: row.chat_id,
    from: row.sender,
    line: row.line,
    group: row.group_ref,
    service: row.service,
    parts: editedParts(row.parts, edits),
    effect: row.effect,
    edits,
    reactions,
    created_at: row.created_at.toISOString(),
    delivered_at: row.delivered_at?.toISOString() ?? null,
    read_at: row.read_at?.toISOString() ?? null,
  };
}

function toActivity({ id, line, group_ref, action, created_at }: PhoneAction): z.infer<typeof Activity> {
  const { do: done, ...told } = action;
  const detail = Object.fromEntries(Object.entries(told).map(([key, value]) => [snakeCase(key), value]));
  return { id, line, group: group_ref, action: done, detail, created_at: created_at.toISOString() };
}

function snakeCase(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
