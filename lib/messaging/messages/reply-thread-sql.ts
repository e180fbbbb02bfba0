/**
 * SQL for `messages.thread_id` of a message that is about to be inserted: the id of the first message of the thread
 * that it replies to, or null for a message that is not a reply. `account` and `replyTo` are SQL for the message's
 * account and `reply_to`. Every statement that inserts messages uses this expression (`every-statement.test.ts`).
 */
export function replyThreadSql(account: string, replyTo: string): string {
  // Filters only by the id. With an equality on the account too, a plan made while the table is empty may read every
  // message of the account.
  return `case when ${replyTo} is not null then (select coalesce(m.thread_id, m.id) from messages m
      where m.id = (${replyTo}->>'message_id')::uuid and m.account_id is not distinct from ${account}) end`;
}
