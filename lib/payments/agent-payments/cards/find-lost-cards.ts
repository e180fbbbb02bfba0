import "server-only";
import { findCardProvider } from "@/lib/adapters/card-providers/registry";
import { sql } from "@/lib/platform/database/db";
import { log } from "@/lib/platform/telemetry/log";
import { now } from "@/lib/platform/time/clock";

const BATCH = 100;
/** Longer than a provider takes to issue a card: after this time the card exists or never will. */
const MONITOR_INTERVAL_MS = 15 * 60_000;

interface LostCard {
  account_id: string;
  id: string;
  provider: string;
}

/**
 * Finds the cards of ended payments whose creation was requested but not recorded, because the process ended in
 * between. Records the provider's card, so that it can be closed. Returns the number of cards found.
 */
export async function findLostCards(stop: AbortSignal): Promise<number> {
  const lost = await sql.query<LostCard>({
    text: `select account_id, id, provider from agent_payments
           where ended_at is not null and card_ref is null and card_closed_at is null and reserved_at <= $1
           order by ended_at limit ${BATCH}`,
    values: [new Date(now().getTime() - MONITOR_INTERVAL_MS)],
  });
  let found = 0;
  for (const payment of lost) {
    if (stop.aborted) break;
    if (await tryToFind(payment)) found++;
  }
  return found;
}

async function tryToFind({ account_id, id, provider }: LostCard): Promise<boolean> {
  try {
    const card = (await findCardProvider(provider)?.findCard(account_id, id)) ?? null;
    await sql.query({
      text: `update agent_payments set card_ref = $3, card_closed_at = case when $3::text is null then $4::timestamptz end
             where account_id = $1 and id = $2 and card_ref is null`,
      values: [account_id, id, card?.cardRef ?? null, now()],
    });
    return card !== null;
  } catch (error) {
    log.warn({ err: error, paymentId: id }, "a card could not be looked up and will be retried");
    return false;
  }
}
