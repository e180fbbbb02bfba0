/**
 * SQL for `messages.thread_id` of a message that is about to be inserted: the ID of the first message of the thread that it
 * replies to, or null for a message that is not a reply. `account` and `replyTo` are SQL for its account and its `reply_to`.
 * Every statement that inserts messages uses this expression (`every-statement.test.ts`). The lookup is by primary key.
 */
export function threadOfReply(account: string, replyTo: string): string {
  return `(select coalesce(m.thread_id, m.id) from messages m
      where m.account_id = ${account} and m.id = (${replyTo}->>'message_id')::uuid)`;
}
