import "server-only";
import type { CloseResult } from "@/lib/adapters/card-providers/card-provider";
import { findCardProvider } from "@/lib/adapters/card-providers/registry";
import { sql } from "@/lib/platform/database/db";
import { log } from "@/lib/platform/telemetry/log";
import { now } from "@/lib/platform/time/clock";

const BATCH = 100;

interface OpenCard {
  account_id: string;
  id: string;
  provider: string;
  card_ref: string;
}

/**
 * Closes the cards of ended payments, of one account or of all (null). The sweep retries cards that the provider could
 * not close. Returns the number of closed cards.
 */
export async function closeCards(accountId: string | null, stop?: AbortSignal): Promise<number> {
  const cards = await sql.query<OpenCard>({
    text: `select account_id, id, provider, card_ref from agent_payments
           where ended_at is not null and card_ref is not null and card_closed_at is null
             and ($1::uuid is null or account_id = $1)
           order by ended_at limit ${BATCH}`,
    values: [accountId],
  });
  let closed = 0;
  for (const card of cards) {
    if (stop?.aborted) break;
    if (await tryToClose(card)) closed++;
  }
  return closed;
}

async function tryToClose(card: OpenCard): Promise<boolean> {
  try {
    await closeCard(card);
    return true;
  } catch (error) {
    log.warn({ err: error, paymentId: card.id }, "a card could not be closed and will be retried");
    return false;
  }
}

/**
 * Closes a card at its provider. Earlier charges are not reversed, and the payment's status stays as it is. Rejects
 * with an AdapterError.
 */
export async function closeCard({ account_id, id, provider, card_ref }: OpenCard): Promise<CloseResult> {
  const closed = await findCardProvider(provider)?.close(account_id, card_ref);
  await sql.query({
    text: "update agent_payments set card_closed_at = $3 where account_id = $1 and id = $2",
    values: [account_id, id, now()],
  });
  return closed ?? "closed";
}
