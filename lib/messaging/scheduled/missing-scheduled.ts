import "server-only";
import { throwNotFoundOrDenied } from "@/lib/messaging/messages/find-message";
import type { Context } from "@/lib/platform/context";
import { prisma, sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

const IS_SENT = statement(
  "is-scheduled-message-sent",
  "select 1 from messages where account_id = :accountId and id = :messageId",
);

/**
 * Throws the reason why no scheduled message has an id. Errors: state_conflict when it has been sent or refused since,
 * message_not_found (also when canceled), access_denied.
 */
export async function failWithoutScheduled(ctx: Context, messageId: string): Promise<never> {
  const sent = await sql.run(IS_SENT, { accountId: ctx.account.id, messageId });
  if (sent.length > 0) fail("state_conflict", "the message was due and is no longer scheduled");
  const foreign = await prisma().scheduledMessage.findFirst({
    where: { id: messageId, accountId: { not: ctx.account.id } },
    select: { id: true },
  });
  if (foreign !== null) fail("access_denied");
  return throwNotFoundOrDenied(ctx, messageId);
}
