import "server-only";
import { emitEvents } from "@/lib/events/store/emit-event";
import { advanceMessage } from "@/lib/messaging/dispatch/advance-message";
import { SNAPSHOT, SNAPSHOT_JOINS } from "@/lib/messaging/messages/message-snapshot";
import { replyThreadSql } from "@/lib/messaging/messages/reply-thread-sql";
import type { Context } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import type { ApiError } from "@/lib/platform/errors/errors";

const STORE_REFUSED_MESSAGE = statement(
  "store-refused-message",
  `insert into messages (account_id, id, chat_id, line_id, sender_id, is_from_me, kind, parts, effect, reply_to,
    thread_id, preferred_service, idempotency_key, trace_id, delivery_status, created_at, updated_at)
  select c.account_id, :messageId, c.id, c.line_id, p.id, true, :kind::text::message_kind, :parts::jsonb,
    :content::jsonb -> 'effect', :content::jsonb -> 'reply_to',
    ${replyThreadSql("c.account_id", "(:content::jsonb -> 'reply_to')")}, (:content::jsonb ->> 'preferred_service')::service_type,
    :idempotencyKey, :traceId, 'pending', :at, :at
  from chats c join lines l on l.account_id = c.account_id and l.id = c.line_id
    join participants p on p.account_id = c.account_id and p.chat_id = c.id and p.handle = l.phone_number
  where c.account_id = :accountId and c.id = :chatId
  on conflict (account_id, idempotency_key) where idempotency_key is not null do nothing returning 1`,
);

const READ_REFUSED_MESSAGE = statement(
  "read-refused-message",
  `select ${SNAPSHOT} from messages m ${SNAPSHOT_JOINS} where m.account_id = :accountId and m.id = :messageId`,
);

const FAIL_REFUSED_MESSAGE = statement(
  "fail-refused-message",
  `update messages set delivery_status = 'failed', failed_at = :at, failure_code = :code, failure_reason = :reason
  where account_id = :accountId and id = :messageId`,
);

/** A due message. The first of its chat: the next one becomes due when its row has gone. */
export type DueMessage = RowOf<"claim-due-messages">;

/**
 * Stores a due message as failed, with the event message.failed: a send of now would have failed with `error`. It is in
 * its chat like any message that failed.
 */
export async function refuseMessage(tx: Sql, ctx: Context, due: DueMessage, error: ApiError): Promise<void> {
  const accountId = ctx.account.id;
  const { id: messageId } = due;
  const refused = {
    accountId,
    messageId,
    chatId: due.chat_id,
    kind: due.kind,
    parts: JSON.stringify(due.parts),
    content: JSON.stringify(due.content),
    traceId: due.trace_id,
    at: ctx.now,
  };
  const stored = await tx.run(STORE_REFUSED_MESSAGE, { ...refused, idempotencyKey: due.idempotency_key });
  // Something else was sent with its key, and keeps it.
  if (stored.length === 0) await tx.run(STORE_REFUSED_MESSAGE, { ...refused, idempotencyKey: null });
  const [was] = await tx.run(READ_REFUSED_MESSAGE, { accountId, messageId });
  if (was === undefined) throw new Error("a message vanished between two statements");
  const step = { type: "failed" as const, error: error.errorName, reason: reasonOf(error), at: ctx.now };
  const advance = advanceMessage(was, step);
  if (advance?.failure == null) throw new Error("a pending message did not fail");
  await tx.run(FAIL_REFUSED_MESSAGE, { accountId, messageId, ...advance.failure, at: ctx.now });
  await emitEvents(tx, advance.events);
}

/** The detail of an error, without the sentence that all errors of its name have. */
function reasonOf({ row, message }: ApiError): string {
  const detail = message.slice(row.message.length).replace(/^: /, "");
  return detail === "" ? "the scheduled message was refused when it was due" : detail;
}
