import "server-only";
import { z } from "zod";
import { findParticipants } from "@/lib/messaging/chats/find-participants";
import { throwNotFoundOrDenied } from "@/lib/messaging/messages/find-message";
import { OPTIONS_OF_POLL, OptionRow, type PollEnvelope, toPoll } from "@/lib/messaging/polls/poll";
import { REACTIONS_OF_MESSAGE, ReactionRow, reactionsOnPart } from "@/lib/messaging/reactions/reaction";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

const FIND_POLL = statement(
  "find-poll",
  `select m.id, m.chat_id, m.created_at, p.updated_at, ${OPTIONS_OF_POLL} as options,
    ${REACTIONS_OF_MESSAGE} as reactions
  from messages m left join polls p on p.account_id = m.account_id and p.message_id = m.id
  where m.account_id = :accountId and m.id = :messageId and m.deleted_at is null`,
);

/** Finds a poll of the account. Errors: message_not_found (also for a message that is not a poll), access_denied. */
export async function findPoll(ctx: Context, messageId: string): Promise<z.input<typeof PollEnvelope>> {
  const [row] = await sql.run(FIND_POLL, { accountId: ctx.account.id, messageId });
  if (row === undefined) return throwNotFoundOrDenied(ctx, messageId);
  if (row.updated_at === null) fail("message_not_found", "the message is not a poll");

  const handles = await findParticipants(ctx.account.id, row.chat_id);
  return {
    message_id: row.id,
    chat_id: row.chat_id,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    poll: toPoll(z.array(OptionRow).parse(row.options ?? []), handles),
    reactions: reactionsOnPart(z.array(ReactionRow).parse(row.reactions ?? []), 0, handles),
  };
}
