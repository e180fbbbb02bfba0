import "server-only";
import { closeTurn, type TurnKey, turnParameters } from "@/lib/messaging/turns/close-turn";
import { byKey, sql } from "@/lib/platform/database/db";
import { hasRows } from "@/lib/platform/database/has-rows";
import { type Queue, startQueue } from "@/lib/platform/database/queue";
import { statement } from "@/lib/platform/database/statement";
import { now } from "@/lib/platform/time/clock";

const CONCURRENCY = 8;
const POLL_MS = 250;
/** A turn whose chat is being changed is tried again after this. Clearly longer than closing takes. */
const LEASE_SECONDS = 1;
const BACK_OFF_SECONDS = 10;

/**
 * Closes the turns that are due. Any number of processes may do so: a turn is closed once, and never waited for. A turn
 * that cannot be closed is tried again later, and delays no other.
 */
export function startClosingTurns(): Queue {
  return startQueue<TurnKey>({
    name: "chat-turns",
    topic: "turns",
    most: CONCURRENCY,
    pollMs: POLL_MS,
    claim: claimDueTurns,
    handle: closeClaimed,
    hasWaiting: () => hasRows("chat_turns", "true"),
  });
}

const SAME_TURN = byKey("o", {
  account_id: "due.account_id",
  chat_id: "due.chat_id",
  handle: "due.handle",
  subscription_id: "due.subscription_id",
  is_recovered: "due.is_recovered",
});

const CLAIM_DUE_TURNS = statement(
  "claim-due-turns",
  `update chat_turns o set lease_until = clock_timestamp() + interval '${LEASE_SECONDS} seconds'
  from (
    select account_id, chat_id, handle, subscription_id, is_recovered from chat_turns
    where due_at <= :at and (lease_until is null or lease_until < clock_timestamp())
    order by due_at limit :limit for update skip locked
  ) due
  where ${SAME_TURN}
  returning o.account_id, o.chat_id, o.handle, o.subscription_id, o.is_recovered`,
);

function claimDueTurns(limit: number): Promise<TurnKey[]> {
  return sql.run(CLAIM_DUE_TURNS, { at: now(), limit });
}

const BACK_OFF_TURN = statement(
  "back-off-turn",
  `update chat_turns o set lease_until = clock_timestamp() + interval '${BACK_OFF_SECONDS} seconds'
  from (
    select account_id, chat_id, handle, subscription_id, is_recovered from chat_turns
    where account_id = :accountId and chat_id = :chatId and handle = :handle
      and subscription_id = :subscriptionId and is_recovered = :isRecovered
    for update skip locked
  ) due
  where ${SAME_TURN}`,
);

async function closeClaimed(key: TurnKey): Promise<void> {
  try {
    await closeTurn(key);
  } catch (error) {
    await sql.run(BACK_OFF_TURN, turnParameters(key));
    throw error;
  }
}
