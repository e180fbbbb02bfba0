import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { findPhone, PathHandle } from "@/lib/simulator/phone";
import { findConversation } from "@/lib/simulator/phone-actions/find/find-conversation";
import { requireSandbox } from "@/lib/simulator/require-sandbox";

export const ReadOnPhone = contract({
  summary: "Mark a chat as read on a simulated phone",
  description:
    "Opens a chat on the phone, which marks its received messages as read. Arrives as `message.read` if the phone sends read receipts.",
  tag: "Simulator",
  right: "send_messages",
  sandboxOnly: true,
  params: z.object({ handle: PathHandle }),
  body: z.object({ chat_id: z.uuid().describe("ID of the chat.") }),
  returns: z.object({
    chat_id: z.uuid().describe("ID of the chat."),
    messages: z.int().meta({ description: "Number of messages that were read.", examples: [1] }),
  }),
  status: 200,
  errors: [
    "field_missing",
    "parameter_invalid",
    "name_unknown",
    "chat_not_found",
    "access_denied",
    "state_conflict",
    "feature_not_available",
  ],
  extension: true,
});

const READ_ON_PHONE = plannedStatement(
  "read-on-phone",
  `update simulator_messages set pending_receipt = 'read', due_at = :now
  where account_id = :accountId and line_id = :lineId and handle = :handle and group_ref is not distinct from :groupRef
    and sender <> handle and delivered_at is not null and read_at is null returning ref`,
);

/**
 * The phone reads everything it has received in a chat so far. `messages` is the number of messages it reads. Read
 * receipts follow if the phone sends them. Errors: as `ReadOnPhone`.
 */
export async function readOnPhone(ctx: Context, { params, body }: Input<typeof ReadOnPhone>) {
  requireSandbox(ctx);
  const phone = await findPhone(ctx.account.id, params.handle);
  const { line, groupRef } = await findConversation(ctx, phone.handle, body.chat_id);

  const unread = await sql.run(READ_ON_PHONE, {
    accountId: ctx.account.id,
    lineId: line.id,
    handle: phone.handle,
    groupRef,
    now: ctx.now,
  });
  sql.wake("simulator");
  return { chat_id: body.chat_id, messages: unread.length };
}
