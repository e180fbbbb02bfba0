import "server-only";
import type { CloseResult } from "@/lib/adapters/card-providers/card-provider";
import { findCardProvider } from "@/lib/adapters/card-providers/registry";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { log } from "@/lib/platform/telemetry/log";
import { now } from "@/lib/platform/time/clock";

const BATCH = 100;

type OpenCard = RowOf<"find-cards-to-close">;

const FIND_CARDS_TO_CLOSE = plannedStatement(
  "find-cards-to-close",
  `select account_id, id, provider, card_ref from agent_payments
  where ended_at is not null and card_ref is not null and card_closed_at is null
    and (:accountId::uuid is null or account_id = :accountId)
  order by ended_at limit ${BATCH}`,
);

/**
 * Closes the cards of ended payments, of one account or of all (null). The sweep retries cards that the provider could
 * not close. Returns the number of closed cards.
 */
export async function closeCards(accountId: string | null, stop?: AbortSignal): Promise<number> {
  const cards = await sql.run(FIND_CARDS_TO_CLOSE, { accountId });
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

const MARK_CARD_CLOSED = plannedStatement(
  "mark-card-closed",
  "update agent_payments set card_closed_at = :now where account_id = :accountId and id = :id",
);

/**
 * Closes a card at its provider. Earlier charges are not reversed, and the payment's status stays as it is. Rejects
 * with an AdapterError.
 */
export async function closeCard({ account_id, id, provider, card_ref }: OpenCard): Promise<CloseResult> {
  const closed = await findCardProvider(provider)?.close(account_id, card_ref);
  await sql.run(MARK_CARD_CLOSED, { accountId: account_id, id, now: now() });
  return closed ?? "closed";
}
