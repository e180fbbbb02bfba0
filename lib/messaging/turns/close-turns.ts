import "server-only";
import { closeTurn, type TurnKey } from "@/lib/messaging/turns/close-turn";
import { sql } from "@/lib/platform/database/db";
import { hasRows } from "@/lib/platform/database/has-rows";
import { type Queue, startQueue } from "@/lib/platform/database/queue";
import { statement } from "@/lib/platform/database/statement";
import { now } from "@/lib/platform/time/clock";

const CONCURRENCY = 8;
const POLL_MS = 250;

/** Closes the turns that are due. Any number of processes may do so: a turn is closed once, and never waited for. */
export function startClosingTurns(): Queue {
  return startQueue<TurnKey, boolean>({
    name: "chat-turns",
    topic: "turns",
    most: CONCURRENCY,
    pollMs: POLL_MS,
    claim: claimDueTurns,
    handle: closeTurn,
    // A turn that could not be closed is left to the next poll.
    afterItem: ({ result, isWoken }) => (result === true || isWoken ? "claim" : "wait"),
    hasWaiting: () => hasRows("chat_turns", "true"),
  });
}

const CLAIM_DUE_TURNS = statement(
  "claim-due-turns",
  `select account_id, chat_id, handle, subscription_id, is_recovered from chat_turns
  where due_at <= :at order by due_at limit :limit`,
);

function claimDueTurns(limit: number): Promise<TurnKey[]> {
  return sql.run(CLAIM_DUE_TURNS, { at: now(), limit });
}
