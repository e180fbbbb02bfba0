import "server-only";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { throwNotFoundOrDenied } from "@/lib/messaging/chats/find-chat";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import type { ServiceType } from "@/lib/platform/prisma/enums";
import { participantsKey } from "@/lib/recipients/handles/participants-key";

/** The target of a message: a chat, or a line and recipients that may not have a chat yet. */
export type SendTarget = { chatId: string } | { lineId: string; recipients: readonly string[] };

/** The properties of a target that a message's content is checked against. */
export interface ResolvedTarget {
  /** null when the chat does not exist yet. */
  chatId: string | null;
  line: LineRef;
  transport: string;
  /** False = RCS is off for the line. */
  lineHasRcs: boolean;
  isGroup: boolean;
  recipients: readonly string[];
  /** The service of the chat; null while nothing has been sent in it. */
  service: ServiceType | null;
}

/**
 * Resolves the target of a send, or returns the earlier message with its idempotency key. Takes one statement. Errors:
 * chat_not_found, access_denied.
 */
export async function resolveTarget(
  ctx: Context,
  target: SendTarget,
  idempotencyKey: string | null,
): Promise<ResolvedTarget | { replayOf: string }> {
  const row = await findRow(ctx, target, idempotencyKey);
  if (row?.replay_of != null) return { replayOf: row.replay_of };
  if (row === undefined || row.line_id === null) {
    return throwNotFoundOrDenied("chatId" in target ? target.chatId : "");
  }
  const recipients = "recipients" in target ? target.recipients : row.members;
  const isGroup = "recipients" in target ? recipients.length > 1 : row.is_group === true;
  return {
    chatId: row.chat_id,
    line: {
      accountId: ctx.account.id,
      id: row.line_id,
      phoneNumber: row.phone_number,
      lineType: row.line_type,
    },
    transport: row.transport,
    lineHasRcs: row.rcs,
    isGroup,
    recipients,
    service: row.chat_id === null ? null : row.service,
  };
}

const FIND_SEND_TARGET = statement(
  "find-send-target",
  `select (select m.id from messages m where m.account_id = :accountId and m.idempotency_key = :idempotencyKey) as replay_of,
    c.id as chat_id, c.is_group, c.service, l.id as line_id, l.phone_number as "phone_number!", l.line_type as "line_type!",
    l.transport as "transport!", l.rcs as "rcs!", array(
      select p.handle from participants p
      where p.account_id = :accountId and p.chat_id = c.id and not p.is_me and p.status = 'active') as members
  from (select coalesce(:chatId::uuid, (
      select c.id from chats c where c.account_id = :accountId and c.line_id = :lineId and c.participants_key = :participantsKey)) as id) asked
  left join chats c on c.account_id = :accountId and c.id = asked.id
  left join lines l on l.account_id = :accountId and l.id = coalesce(c.line_id, :lineId::uuid)`,
);

async function findRow(ctx: Context, target: SendTarget, idempotencyKey: string | null) {
  const isNew = "recipients" in target;
  const [row] = await sql.run(FIND_SEND_TARGET, {
    accountId: ctx.account.id,
    idempotencyKey,
    chatId: isNew ? null : target.chatId,
    lineId: isNew ? target.lineId : null,
    participantsKey: isNew ? participantsKey(target.recipients) : null,
  });
  return row;
}
