import "server-only";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

type ThreadLine = RowOf<"find-thread-line">;

/** The thread for messages to a customer: an existing chat, or the line that starts one. */
export type Thread = { chatId: string; line: null } | { chatId: null; line: ThreadLine };

const BEST_FIRST = "(l.status = 'ACTIVE') desc, l.is_up desc, l.reputation";

const FIND_THREAD_CHAT = plannedStatement(
  "find-thread-chat",
  `select c.id from participants p
    join chats c on c.account_id = p.account_id and c.id = p.chat_id
    join lines l on l.account_id = c.account_id and l.id = c.line_id
  where p.account_id = :accountId and p.handle = :handle and not p.is_me and not c.is_group and c.left_at is null
    and l.released_at is null
  order by ${BEST_FIRST}, c.last_activity_at desc limit 1`,
);

const FIND_THREAD_LINE = plannedStatement(
  "find-thread-line",
  `select l.id, l.phone_number as "phoneNumber", l.line_type as "lineType" from lines l
  where l.account_id = :accountId and l.released_at is null order by ${BEST_FIRST}, l.created_at limit 1`,
);

/**
 * Returns the account's direct chat with a handle: on the best line, then with the latest activity. Without a chat,
 * returns the account's best line. Errors: state_conflict when there is no line.
 */
export async function findThread(ctx: Context, handle: string): Promise<Thread> {
  const [chat] = await sql.run(FIND_THREAD_CHAT, { accountId: ctx.account.id, handle });
  if (chat !== undefined) return { chatId: chat.id, line: null };

  const [line] = await sql.run(FIND_THREAD_LINE, { accountId: ctx.account.id });
  if (line === undefined) fail("state_conflict", "the account has no line to send the one-time code from");
  return { chatId: null, line };
}
