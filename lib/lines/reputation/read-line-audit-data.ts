import "server-only";
import { type ChatCounts, COUNT_LINE_CHATS } from "@/lib/lines/reputation/line-reputation";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { firstIdAt } from "@/lib/platform/ids";
import type { HealthStatus, LineStatus } from "@/lib/platform/prisma/enums";

const DAY_MS = 86_400_000;
const BASELINE_DAYS = 7;
/** Messages are counted in this many chats: the most recently active ones. */
const COUNTED_CHATS = 5000;
const EVIDENCE_CHATS = 15;

/** The input of an audit. */
export interface LineAuditData extends ChatCounts {
  status: LineStatus;
  sentToday: number;
  receivedToday: number;
  /** Sent in the seven days before. */
  sentBefore: number;
  newChats: number;
  optOutChats: { chat_id: string; messages_after_stop: number }[];
  unhealthyChats: { chat_id: string; status: Exclude<HealthStatus, "HEALTHY">; has_answers: boolean }[];
}

/** Reads a line's audit data in three statements, for any length of history. */
export async function readLineAuditData(accountId: string, lineId: string, at: Date): Promise<LineAuditData> {
  const [counts] = await sql.run(COUNT_LINE_CHATS, { accountId, lineId });
  const [volume] = await sql.run(VOLUME, {
    accountId,
    lineId,
    firstIdAt: firstIdAt(at.getTime() - DAY_MS),
    id: firstIdAt(at.getTime() - (BASELINE_DAYS + 1) * DAY_MS),
    createdAt: new Date(at.getTime() - DAY_MS),
    lastActivityAt: new Date(at.getTime() - (BASELINE_DAYS + 1) * DAY_MS),
  });
  const [evidence] = await sql.run(EVIDENCE, { accountId, lineId });
  if (counts === undefined || volume === undefined || evidence === undefined) {
    throw new Error("the line of the audit is gone");
  }
  return { ...counts, ...volume, ...evidence };
}

const VOLUME = statement(
  "audit-volume",
  `with recent as materialized (
    select id, created_at from chats
    where account_id = :accountId and line_id = :lineId and last_activity_at > :lastActivityAt
    order by last_activity_at desc, id desc limit ${COUNTED_CHATS}
  )
  select l.status,
    (select count(*) from recent where created_at > :createdAt)::int as "newChats",
    coalesce(sum(m.sent_today), 0)::int as "sentToday", coalesce(sum(m.received_today), 0)::int as "receivedToday",
    coalesce(sum(m.sent_before), 0)::int as "sentBefore"
  from lines l left join recent on true left join lateral (
    select count(*) filter (where is_from_me and id >= :firstIdAt) as sent_today,
      count(*) filter (where not is_from_me and id >= :firstIdAt) as received_today,
      count(*) filter (where is_from_me and id < :firstIdAt) as sent_before
    from messages where account_id = :accountId and chat_id = recent.id and id >= :id offset 0
  ) m on true
  where l.account_id = :accountId and l.id = :lineId
  group by l.status`,
);

const EVIDENCE = statement(
  "audit-evidence",
  `with unhealthy as materialized (
    select id, health_status, recipient_handle, health_updated_at from chats
    where account_id = :accountId and health_status in ('AT_RISK', 'CRITICAL', 'OPTED_OUT') and line_id = :lineId and left_at is null
    order by health_updated_at desc limit 1000
  ), opted_out as (
    select u.id as chat_id, (
        select count(*) from messages m
        where m.account_id = :accountId and m.chat_id = u.id and m.is_from_me and m.created_at > o.started_at
      )::int as messages_after_stop
    from unhealthy u join opt_outs o on o.account_id = :accountId and o.handle = u.recipient_handle and o.ended_at is null
    order by messages_after_stop desc limit ${EVIDENCE_CHATS}
  ), worst as (
    select u.id as chat_id, u.health_status as status, exists (
        select from messages m where m.account_id = :accountId and m.chat_id = u.id and not m.is_from_me) as has_answers
    from unhealthy u
    order by array_position(array['OPTED_OUT', 'CRITICAL', 'AT_RISK'], u.health_status::text), u.health_updated_at desc
    limit ${EVIDENCE_CHATS}
  )
  select coalesce((select jsonb_agg(to_jsonb(o)) from opted_out o), '[]') as "optOutChats: { chat_id: string; messages_after_stop: number; }[]",
    coalesce((select jsonb_agg(to_jsonb(w)) from worst w), '[]') as "unhealthyChats: { chat_id: string; status: 'AT_RISK' | 'CRITICAL' | 'OPTED_OUT'; has_answers: boolean; }[]"`,
);
