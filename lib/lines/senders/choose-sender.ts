import "server-only";
import { z } from "zod";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { HealthStatus, ParticipantStatus, ServiceType } from "@/lib/platform/prisma/enums";
import { participantsKey } from "@/lib/recipients/handles/participants-key";

/** The account and the recipients that a line is chosen for. */
export interface SenderCriteria {
  accountId: string;
  /** A sandbox can only send to contacts who have messaged the line, so lines known to all recipients are preferred. */
  isSandbox: boolean;
  /** Distinct handles. Empty = any recipients. */
  recipients: readonly string[];
  /** The required type of the line. null = any. */
  lineType: "iMessage" | "RCS" | null;
  /** Numbers of lines on which no new chat may be opened. */
  excluded: readonly string[];
  idempotencyKey: string | null;
}

/** Returns the line type that these handles require: an email address requires iMessage. null = any type. */
export function lineTypeFor(recipients: readonly string[]): SenderCriteria["lineType"] {
  return recipients.every((handle) => handle.startsWith("+")) ? null : "iMessage";
}

const FoundLine = z.object({
  id: z.uuid(),
  phoneNumber: z.string(),
  lineType: z.enum(ServiceType),
});

const FoundChat = z.object({
  id: z.uuid(),
  line: FoundLine,
  isGroup: z.boolean(),
  service: z.enum(ServiceType).nullable(),
  healthStatus: z.enum(HealthStatus),
  healthUpdatedAt: z.coerce.date(),
  participants: z.array(
    z.object({
      id: z.uuid(),
      handle: z.string(),
      isMe: z.boolean(),
      service: z.enum(ServiceType),
      status: z.enum(ParticipantStatus),
      joinedAt: z.coerce.date(),
      leftAt: z.coerce.date().nullable(),
    }),
  ),
});

const Sender = z.object({
  /** The earlier message with the idempotency key. */
  replayOf: z.uuid().nullable(),
  /** The existing chat with exactly these recipients, on a line that can send. */
  chat: FoundChat.nullable(),
  /** The line for a new chat when `chat` is null. null when no line qualifies. */
  line: FoundLine.nullable(),
  /** The chat with exactly these recipients on a line that can no longer send. */
  flaggedChatId: z.uuid().nullable(),
  /** Whether a line would qualify if none were excluded. */
  hasExcluded: z.boolean(),
});

/** The chat that a message to these recipients belongs to. */
export type Sender = z.infer<typeof Sender>;

export type FoundChat = z.infer<typeof FoundChat>;

const LINE = "jsonb_build_object('id', l.id, 'phoneNumber', l.phone_number, 'lineType', l.line_type)";

// `fresh` is evaluated only when no chat is usable: PostgreSQL checks that condition once, before it reads any line.
const CHOOSE = statement(
  "choose-sender",
  `with known as (
    select c.*, l.phone_number, l.status as line_status, l.is_up, l.reputation, ${LINE} as line
    from chats c cross join lateral (
      select * from lines l where l.account_id = c.account_id and l.id = c.line_id offset 0
    ) l
    where c.account_id = :accountId and c.participants_key = :participantsKey and c.left_at is null and l.released_at is null
  ), usable as (
    select * from known where line_status = 'ACTIVE' and (:lineType::text is null or line_type::text = :lineType)
    order by is_up desc, reputation, last_activity_at desc, id desc limit 1
  ), fresh as (
    select ${LINE} as line, l.phone_number = any(:excluded::text[]) as is_excluded, l.is_up, l.reputation, l.created_at, l.id,
      case when :isSandbox::boolean then (
        select count(*) from line_contacts k
        where k.account_id = l.account_id and k.line_id = l.id and k.handle = any(:recipients::text[])) end as wrote,
      greatest(l.picked_at, (
        select c.last_activity_at from chats c where c.account_id = l.account_id and c.line_id = l.id
        order by c.last_activity_at desc, c.id desc limit 1)) as used_at
    from lines l
    where not exists (select from usable) and l.account_id = :accountId and l.released_at is null and l.status = 'ACTIVE'
      and (:lineType::text is null or l.line_type::text = :lineType) and not l.phone_number = any(:recipients::text[])
  )
  select
    (select m.id from messages m where m.account_id = :accountId and m.idempotency_key = :idempotencyKey) as "replayOf",
    (select jsonb_build_object('id', c.id, 'line', c.line, 'isGroup', c.is_group, 'service', c.service,
        'healthStatus', c.health_status, 'healthUpdatedAt', c.health_updated_at, 'participants', (
          select jsonb_agg(jsonb_build_object('id', p.id, 'handle', p.handle, 'isMe', p.is_me, 'service', p.service,
            'status', p.status, 'joinedAt', p.joined_at, 'leftAt', p.left_at) order by p.id)
          from participants p where p.account_id = c.account_id and p.chat_id = c.id))
      from usable c) as chat,
    (select line from fresh where not is_excluded
      order by is_up desc, wrote desc, reputation, used_at nulls first, created_at, id limit 1) as line,
    (select id from known where line_status = 'FLAGGED' order by last_activity_at desc limit 1) as "flaggedChatId",
    exists (select from fresh where is_excluded) as "hasExcluded"`,
);

/**
 * Chooses the chat or line for a message without a sender, in one statement: the existing chat on a line that can send,
 * otherwise the healthiest line, and among equals the least recently used (docs/contract.md, section 7.3).
 */
export async function chooseSender(on: Sql, criteria: SenderCriteria): Promise<Sender> {
  const [row] = await on.run(CHOOSE, {
    accountId: criteria.accountId,
    participantsKey: criteria.recipients.length === 0 ? null : participantsKey(criteria.recipients),
    lineType: criteria.lineType,
    recipients: criteria.recipients,
    excluded: criteria.excluded,
    isSandbox: criteria.isSandbox,
    idempotencyKey: criteria.idempotencyKey,
  });
  return Sender.parse(row);
}
