import "server-only";

/** A pause after which an exchange is not a part of the same loop. */
export const PAUSE_SECONDS = 600;

/** A hold ends when no one has written to the chat for this time: then the loop is over. */
export const HOLD_MINUTES = 60;

/** SQL: until when the hold of a chat lasts, with an inbound message that is stored at `at`. A hold that has ended stays so. */
export function loopHeldUntilSql(chat: string, at: string): string {
  return `case when ${chat}.loop_held_until > ${at} then ${at} + interval '${HOLD_MINUTES} minutes' else ${chat}.loop_held_until end`;
}

/**
 * SQL: the exchanges of a chat in a row, with an inbound message that is stored at `at`. An exchange is a send and the
 * inbound message after it; a pause starts a new row. A send whose outcome is not stored yet counts with the next message.
 */
export function countedExchangesSql(chat: string, at: string): string {
  return `case
        when ${chat}.last_activity_at < ${at} - interval '${PAUSE_SECONDS} seconds' then 0
        when cardinality(${chat}.unanswered) > 0 then coalesce(${chat}.exchange_count, 0) + 1
        else ${chat}.exchange_count end`;
}
