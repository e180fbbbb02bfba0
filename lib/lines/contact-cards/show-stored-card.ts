import "server-only";
import { applyCard, type CardLine, MAX_CARD_ATTEMPTS } from "@/lib/lines/contact-cards/apply-card";
import { contentOf, findCards } from "@/lib/lines/contact-cards/contact-card";
import { log } from "@/lib/platform/telemetry/log";

/**
 * Sets the stored card on a line, or removes the line's card, after a request set a card that another request's change
 * has replaced. A line that rejects the card is only logged.
 */
export async function showStoredCard(line: CardLine): Promise<void> {
  try {
    for (let tries = 0; tries < MAX_CARD_ATTEMPTS; tries++) {
      const card = await findStored(line);
      await applyCard(line, card && contentOf(card));
      if ((await findStored(line))?.version === card?.version) return;
    }
  } catch (error) {
    log.warn({ err: error, line: line.phoneNumber }, "a line may show a contact card that is not stored");
  }
}

async function findStored({ accountId, id: lineId }: CardLine) {
  const [card] = await findCards(accountId, { lineId });
  return card ?? null;
}
