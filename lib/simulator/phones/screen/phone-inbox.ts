import "server-only";
import { z } from "zod";
import { sql } from "@/lib/platform/database/db";
import { decodeCursor } from "@/lib/platform/lists/page";
import type { ServiceType } from "@/lib/platform/prisma/enums";
import type { PhoneAction } from "@/lib/simulator/phones/screen/phone-screen";

const MAX_ACTIVITY = 100;

/** A message on a phone, with its ids in the API. */
export interface InboxRow {
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
  unsent_at: Date | null;
  message_id: string | null;
  chat_id: string | null;
}

const CursorKey = z.tuple([z.iso.datetime(), z.string()]);

/** Returns up to `limit` + 1 of a phone's messages, newest first. Errors: parameter_invalid. */
export function findInbox(
  accountId: string,
  handle: string,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<InboxRow[]> {
  const [at, ref] = cursor === undefined ? ["infinity", ""] : decodeCursor(cursor, CursorKey);
  return sql.query<InboxRow>({
    name: "simulator-inbox",
    text: `select s.ref, s.sender, l.phone_number as line, s.group_ref, s.service, s.parts, s.effect, s.created_at,
             s.delivered_at, s.read_at, s.unsent_at, m.id as message_id, m.chat_id
           from simulator_messages s
           join lines l on l.account_id = s.account_id and l.id = s.line_id
           left join transport_refs r on r.account_id = s.account_id and r.line_id = s.line_id and r.ref = s.ref
           left join messages m on m.account_id = r.account_id and m.id = r.message_id
           where s.account_id = $1 and s.handle = $2 and s.created_at <= $3 and (s.created_at < $3 or s.ref < $4)
           order by s.created_at desc, s.ref desc limit $5`,
    values: [accountId, handle, at, ref, limit + 1],
  });
}

const ACTIONS = `select a.id, a.position, l.phone_number as line, a.group_ref, a.action, a.created_at
  from simulator_actions a join lines l on l.account_id = a.account_id and l.id = a.line_id
  where a.account_id = $1 and a.handles @> array[$2]`;

/** Returns the latest actions of lines in a phone's chats, newest first. */
export function findActivity(accountId: string, handle: string): Promise<PhoneAction[]> {
  return sql.query<PhoneAction>({
    name: "simulator-activity",
    text: `${ACTIONS} order by a.position desc limit ${MAX_ACTIVITY}`,
    values: [accountId, handle],
  });
}

/** Returns the actions of lines on messages, by message, oldest first. */
export async function findActionsOn(accountId: string, handle: string, refs: readonly string[]) {
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
           order by m.position`,
    values: [accountId, handle, refs],
  });
  return Map.groupBy(rows, ({ ref }) => ref);
}
