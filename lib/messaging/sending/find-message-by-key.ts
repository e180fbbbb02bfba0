import "server-only";
import { z } from "zod";
import { findMessage } from "@/lib/messaging/messages/find-message";
import { Message } from "@/lib/messaging/messages/message";
import { findEarlierByKey, findScheduledAsMessage } from "@/lib/messaging/scheduled/schedule-message";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { maxUnits } from "@/lib/platform/text/max-units";

export const FindMessageByKey = contract({
  summary: "Find a message by idempotency key",
  description:
    "Returns the message that was accepted with an idempotency key. Use it to find out whether a send with an unknown outcome was accepted. A Trunkline extension.",
  tag: "Messages",
  right: "view_chats",
  query: z.object({
    idempotency_key: z
      .string()
      .min(1)
      .check(maxUnits(255))
      .meta({
        description: "The idempotency key of the send, up to 255 characters.",
        examples: ["order-1042-ready"],
      }),
  }),
  returns: z.object({
    chat_id: z.uuid().describe("ID of the chat of the message."),
    message: Message.describe("The message."),
  }),
  status: 200,
  errors: ["field_missing", "message_not_found"],
  extension: true,
});

const FIND_MESSAGE_BY_KEY = statement(
  "find-message-by-key",
  "select id from messages where account_id = :accountId and idempotency_key = :idempotencyKey",
);

/**
 * Finds the message that was sent or scheduled with an idempotency key, so that a client can resolve an unknown outcome without
 * sending again (docs/contract.md, section 4.2). Errors: message_not_found, also after the message was deleted.
 */
export async function findMessageByKey(
  ctx: Context,
  { query }: Pick<Input<typeof FindMessageByKey>, "query">,
) {
  const [row] = await sql.run(FIND_MESSAGE_BY_KEY, {
    accountId: ctx.account.id,
    idempotencyKey: query.idempotency_key,
  });
  if (row === undefined) return findScheduledWithKey(ctx, query.idempotency_key);
  const message = await findMessage(ctx, row.id);
  return { chat_id: message.chat_id, message };
}

async function findScheduledWithKey(ctx: Context, key: string) {
  const messageId = await findEarlierByKey(ctx, key);
  const message = messageId === null ? null : await findScheduledAsMessage(ctx, messageId);
  if (message === null) return fail("message_not_found", "no message was sent with this key");
  return { chat_id: message.chat_id, message };
}
