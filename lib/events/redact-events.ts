import "server-only";
import type { Sql } from "@/lib/platform/db";

/** Paths of message content in event data, and the value that replaces each once the content is erased. */
const CONTENT = [
  ["{message,parts}", "[]"],
  ["{part,text}", '""'],
  ["{custom_emoji}", "null"],
  ["{poll,options}", "[]"],
  ["{added_options}", "[]"],
  ["{first_name}", '""'],
  ["{last_name}", '""'],
  ["{image,filename}", '"file"'],
  ["{sticker,image,filename}", '"file"'],
] as const;

/** SQL: the top-level keys of all paths. */
const KEYS =
  "'message', 'part', 'custom_emoji', 'poll', 'added_options', 'first_name', 'last_name', 'image', 'sticker'";

/** SQL for an event's data without message content. */
export function redactedSql(data: string): string {
  return CONTENT.reduce((data, [path, empty]) => `jsonb_set(${data}, '${path}', '${empty}', false)`, data);
}

/**
 * Removes the content of these messages from their events, so later deliveries and readers no longer get it. Events
 * without content are not written.
 */
export async function redactEvents(tx: Sql, accountId: string, messageIds: readonly string[]): Promise<void> {
  await tx.query({
    text: `update events set data = ${redactedSql("data")}
           where account_id = $1 and message_id = any($2::uuid[]) and data ?| array[${KEYS}]`,
    values: [accountId, messageIds],
  });
}
