import "server-only";
import { z } from "zod";
import { sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { decodeCursor } from "@/lib/platform/lists/page";
import type { PhoneAction } from "@/lib/simulator/phones/screen/phone-screen";

const MAX_ACTIVITY = 100;

/** A message on a phone, with its ids in the API. */
export type InboxRow = RowOf<"simulator-inbox">;

const CursorKey = z.tuple([z.iso.datetime(), z.string()]);

const SIMULATOR_INBOX = statement(
  "simulator-inbox",
  `select s.ref, s.sender, l.phone_number as line, s.group_ref, s.service, s.parts, s.effect, s.created_at,
    s.delivered_at, s.read_at, s.unsent_at, m.id as message_id, m.chat_id
  from simulator_messages s
  join lines l on l.account_id = s.account_id and l.id = s.line_id
  left join transport_refs r on r.account_id = s.account_id and r.line_id = s.line_id and r.ref = s.ref
  left join messages m on m.account_id = r.account_id and m.id = r.message_id
  where s.account_id = :accountId and s.handle = :handle and s.created_at <= :createdAt and (s.created_at < :createdAt or s.ref < :ref)
  order by s.created_at desc, s.ref desc limit :limit`,
);

/** Returns up to `limit` + 1 of a phone's messages, newest first. Errors: parameter_invalid. */
export function findInbox(
  accountId: string,
  handle: string,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<InboxRow[]> {
  const [at, ref] = cursor === undefined ? ["infinity", ""] : decodeCursor(cursor, CursorKey);
  return sql.run(SIMULATOR_INBOX, { accountId, handle, createdAt: at, ref, limit: limit + 1 });
}

const ACTIONS = `select a.id, a.position, l.phone_number as line, a.group_ref, a.action, a.created_at
  from simulator_actions a join lines l on l.account_id = a.account_id and l.id = a.line_id
  where a.account_id = :accountId and a.handles @> array[:handle]`;

const SIMULATOR_ACTIVITY = statement(
  "simulator-activity",
  `${ACTIONS} order by a.position desc limit ${MAX_ACTIVITY}`,
);

/** Returns the latest actions of lines in a phone's chats, newest first. */
export function findActivity(accountId: string, handle: string): Promise<PhoneAction[]> {
  return sql.run(SIMULATOR_ACTIVITY, { accountId, handle });
}

const SIMULATOR_ACTIONS_ON = statement(
  "simulator-actions-on",
  `with mine as materialized (${ACTIONS})
  select m.*, coalesce(m.action ->> 'ref', put.ref) as "ref!" from mine m
  left join lateral (
    select p.action ->> 'ref' as ref from mine p
    where m.action ->> 'do' = 'move_sticker' and p.action ->> 'do' = 'react'
      and p.action ->> 'reactionId' = m.action ->> 'reactionId' limit 1
  ) put on true
  where coalesce(m.action ->> 'ref', put.ref) = any(:refs::text[])
  order by m.position`,
);

/** Returns the actions of lines on messages, by message, oldest first. */
export async function findActionsOn(accountId: string, handle: string, refs: readonly string[]) {
  const rows = await sql.run(SIMULATOR_ACTIONS_ON, { accountId, handle, refs });
  return Map.groupBy(rows, ({ ref }) => ref);
}
