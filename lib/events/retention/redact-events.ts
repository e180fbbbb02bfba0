import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";

/** Almost all events with message content have it here. */
const PARTS = ["{message,parts}", "[]"] as const;

/** The other paths of message content in event data, and the value that replaces each once the content is erased. */
const OTHER = [
  ["{part,text}", '""'],
  ["{custom_emoji}", "null"],
  ["{poll,options}", "[]"],
  ["{added_options}", "[]"],
  ["{first_name}", '""'],
  ["{last_name}", '""'],
  ["{image,filename}", '"file"'],
  ["{sticker,image,filename}", '"file"'],
] as const;

/** SQL: the top-level keys of these paths. */
const OTHER_KEYS =
  "'part', 'custom_emoji', 'poll', 'added_options', 'first_name', 'last_name', 'image', 'sticker'";

/** SQL for an event's data without message content. Each path costs a copy of the data, so most events need one. */
export function redactedSql(data: string): string {
  const withoutParts = setPath(data, PARTS);
  return `case when ${data} ?| array[${OTHER_KEYS}] then ${OTHER.reduce(setPath, withoutParts)} else ${withoutParts} end`;
}

function setPath(data: string, [path, empty]: readonly [string, string]): string {
  return `jsonb_set(${data}, '${path}', '${empty}', false)`;
}

/** SQL: `seq` of the events with content of the messages `:messageIds` of `:accountId`: their own and those of turns. */
export const EVENTS_OF_MESSAGES = `select seq from events
    where account_id = :accountId and message_id = any(:messageIds::uuid[])
    union all
    select e.seq from chat_turn_messages t join events e on e.account_id = t.account_id and e.id = t.event_id and not e.internal
    where t.account_id = :accountId and t.message_id = any(:messageIds::uuid[])`;

const REDACT_EVENTS = plannedStatement(
  "redact-events",
  `update events set data = ${redactedSql("data")}
  where account_id = :accountId and message_id = any(:messageIds::uuid[]) and data ?| array['message', ${OTHER_KEYS}]`,
);

// The event of a turn contains several messages, so it does not name one.
const REDACT_TURNS = plannedStatement(
  "redact-turns",
  `update events e set data = jsonb_set(e.data, '{messages}', (
    select jsonb_agg(case when (item #>> '{message,id}')::uuid = any(:messageIds::uuid[])
      then jsonb_set(item, '${PARTS[0]}', '${PARTS[1]}') else item end order by ord)
    from jsonb_array_elements(e.data -> 'messages') with ordinality as each(item, ord)))
  from (
    select distinct event_id from chat_turn_messages
    where account_id = :accountId and message_id = any(:messageIds::uuid[])
  ) t
  where e.account_id = :accountId and e.id = t.event_id and not e.internal`,
);

/**
 * Removes the content of these messages from their events, so later deliveries and readers no longer get it. Events
 * without content are not written.
 */
export async function redactEvents(tx: Sql, accountId: string, messageIds: readonly string[]): Promise<void> {
  await tx.run(REDACT_EVENTS, { accountId, messageIds });
  await tx.run(REDACT_TURNS, { accountId, messageIds });
}
