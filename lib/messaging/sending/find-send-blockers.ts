import "server-only";
import { z } from "zod";
import { actorSql } from "@/lib/identity/audit/actor-sql";
import { actorId } from "@/lib/identity/audit/record-audit";
import { throwNotFoundOrDenied } from "@/lib/messaging/chats/find-chat";
import { pairWindow } from "@/lib/messaging/sending/accept/accept-message";
import { SendBlocker, toSendBlockers } from "@/lib/messaging/sending/send-blocker";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { maxUnits } from "@/lib/platform/text/max-units";
import { isReachableSql } from "@/lib/platform/text/phone-handle";
import { normalizeHandle } from "@/lib/recipients/handles/normalize-handle";

const MAX_CHATS = 20;

const Place = z.object({
  chat_id: z.uuid().nullable(),
  line: z.string().nullable(),
  sendBlockers: z.array(SendBlocker),
});

export type TargetSendBlockers = z.infer<typeof Place>;

export const FindSendBlockers = contract({
  summary: "List the reasons why a chat or handle can't be messaged",
  tag: "Chats",
  right: "view_chats",
  query: z
    .object({
      chat_id: z.uuid().optional(),
      handle: z.string().check(maxUnits(254)).transform(normalizeHandle).optional(),
    })
    .refine((query) => (query.chat_id === undefined) !== (query.handle === undefined), {
      error: "set chat_id or handle",
    }),
  returns: z.object({ places: z.array(Place) }),
  status: 200,
  errors: ["parameter_invalid", "chat_not_found", "access_denied"],
});

/**
 * Returns the send blockers of a chat, or of each direct chat with a handle, in the order in which a send checks them.
 * For a handle without a chat, returns the known ones. Takes one statement. Errors: chat_not_found, access_denied.
 */
export async function findSendBlockers(
  ctx: Context,
  { query }: Pick<Input<typeof FindSendBlockers>, "query">,
) {
  const rows = await sql.run(PLACES, {
    accountId: ctx.account.id,
    chatId: query.chat_id ?? null,
    handle: query.handle ?? null,
    isSandbox: ctx.account.type === "sandbox",
    ...pairWindow(ctx.account.id, ctx.now),
    now: ctx.now,
    actorId: actorId(ctx.actor),
  });
  if (query.chat_id !== undefined && rows[0]?.chat_id == null) return throwNotFoundOrDenied(query.chat_id);

  const places = rows.map((row) => ({
    chat_id: row.chat_id,
    line: row.line,
    sendBlockers: toSendBlockers(row, ctx.now, ctx.actor.type === "api"),
  }));
  return { places };
}

const PLACES = statement(
  "find-send-blockers",
  `
  with asked as materialized (
    select :chatId::uuid as id where :chatId::uuid is not null
    union all
    (select p.chat_id from participants p
      join chats c on c.account_id = p.account_id and c.id = p.chat_id and c.recipient_handle = :handle
      where p.account_id = :accountId and p.handle = :handle
      order by c.last_activity_at desc limit ${MAX_CHATS})
  )
  select ch.id as chat_id, l.phone_number as line, ch.left_at,
    coalesce(not ${isReachableSql("coalesce(:handle, ch.recipient_handle)")}, false) as is_unreachable, l.status = 'FLAGGED' as is_flagged, l.is_up,
    k.blocked_at, k.blocked_reason, ${actorSql("k.blocked_by_type", "k.blocked_by_id", "a.id")} as "blocked_by: ActorName",
    k.opted_out_at, k.opt_out_keyword as keyword, ${actorSql("o.actor_type", "o.actor_id", "a.id")} as "opted_out_by: ActorName",
    o.message_id as opt_out_message_id, o.chat_id as opt_out_chat_id,
    case when :isSandbox and ch.id is null and :handle::text is not null then array(
      select :handle::text where not exists (
        select 1 from line_contacts lc where lc.account_id = a.id and lc.handle = :handle))
    when :isSandbox then array(
      select p.handle from participants p
      where p.account_id = a.id and p.chat_id = ch.id and not p.is_me and p.status = 'active' and not exists (
        select 1 from line_contacts lc
        where lc.account_id = a.id and lc.line_id = ch.line_id and lc.handle = p.handle)
      order by p.handle) else '{}' end as never_wrote,
    hold.held_until, ${actorSql("hold.held_by_type", "hold.held_by", "a.id")} as "held_by: ActorName",
    case when a.loop_exchanges is not null and ch.loop_held_until > :now then ch.loop_held_at end as loop_held_at,
    case when w.sent >= a.pair_messages then w.oldest end as pair_full_since,
    coalesce(d.messages >= a.daily_messages, false) as is_day_full,
    f.failure_code, f.failure_reason, f.failed_at, f.id as failed_message_id
  from accounts a
  left join asked on true
  left join chats ch on ch.account_id = a.id and ch.id = asked.id
  left join lines l on l.account_id = a.id and l.id = ch.line_id
  left join contacts k on k.account_id = a.id and k.handle = coalesce(:handle, ch.recipient_handle)
  left join opt_outs o on o.account_id = a.id and o.handle = k.handle and o.ended_at is null
  left join account_days d on d.account_id = a.id and d.day = (:now::timestamptz at time zone 'UTC')::date
  left join lateral (
    select ch.held_until, ch.held_by, 'user' as held_by_type
    where a.take_over_minutes is not null and ch.held_until > :now and ch.held_by is distinct from :actorId::uuid
  ) hold on true
  left join lateral (
    select count(*) as sent, min(m.created_at) as oldest from messages m
    where m.account_id = a.id and m.chat_id = ch.id and m.id >= :windowFrom and m.created_at >= :sentSince and m.is_from_me
      and a.pair_messages is not null
  ) w on true
  left join lateral (
    select m.id, m.failure_code, m.failure_reason, m.failed_at from (
      select * from messages m where m.account_id = a.id and m.chat_id = ch.id and m.is_from_me
      order by m.position desc limit 1) m
    where m.delivery_status = 'failed'
  ) f on true
  where a.id = :accountId
  order by ch.last_activity_at desc nulls last`,
);
