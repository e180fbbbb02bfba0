import "server-only";
import { findCardProvider } from "@/lib/adapters/card-providers/registry";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { log } from "@/lib/platform/telemetry/log";
import { now } from "@/lib/platform/time/clock";

const BATCH = 100;
/** Longer than a provider takes to issue a card: after this time the card exists or never will. */
const MONITOR_INTERVAL_MS = 15 * 60_000;

type LostCard = RowOf<"find-lost-cards">;

const FIND_LOST_CARDS = plannedStatement(
  "find-lost-cards",
  `select account_id, id, provider from agent_payments
  where ended_at is not null and card_ref is null and card_closed_at is null and reserved_at <= :reservedAt
  order by ended_at limit ${BATCH}`,
);

/**
 * Finds the cards of ended payments whose creation was requested but not recorded, because the process ended in
 * between. Records the provider's card, so that it can be closed. Returns the number of cards found.
 */
export async function findLostCards(stop: AbortSignal): Promise<number> {
  const lost = await sql.run(FIND_LOST_CARDS, {
    reservedAt: new Date(now().getTime() - MONITOR_INTERVAL_MS),
  });
  let found = 0;
  for (const payment of lost) {
    if (stop.aborted) break;
    if (await tryToFind(payment)) found++;
  }
  return found;
}

const STORE_FOUND_CARD = plannedStatement(
  "store-found-card",
  `update agent_payments set card_ref = :cardRef, card_closed_at = case when :cardRef::text is null then :now::timestamptz end
  where account_id = :accountId and id = :id and card_ref is null`,
);

async function tryToFind({ account_id, id, provider }: LostCard): Promise<boolean> {
  try {
    const card = (await findCardProvider(provider)?.findCard(account_id, id)) ?? null;
    await sql.run(STORE_FOUND_CARD, {
      accountId: account_id,
      id,
      cardRef: card?.cardRef ?? null,
      now: now(),
    });
    return card !== null;
  } catch (error) {
    log.warn({ err: error, paymentId: id }, "a card could not be looked up and will be retried");
    return false;
  }
}
