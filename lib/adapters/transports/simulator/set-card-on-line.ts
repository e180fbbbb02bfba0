import "server-only";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { OutContactCard } from "@/lib/adapters/transports/outbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";

const SET_CARD_ON_LINE = plannedStatement(
  "set-card-on-line",
  `insert into simulator_lines as l (account_id, line_id, contact_card) values (:accountId, :lineId, :contactCard)
  on conflict (account_id, line_id) do update set contact_card = excluded.contact_card
    where not l.cards_fail
  returning line_id`,
);

/**
 * Stores the card that the simulated network shows for a line. Throws AdapterError when the line is configured to
 * reject it.
 */
export async function setCardOnLine(line: LineRef, card: OutContactCard | null): Promise<void> {
  const shown = card && {
    first_name: card.firstName,
    last_name: card.lastName,
    image: card.image && { filename: card.image.filename, mime_type: card.image.mimeType },
  };
  const taken = await sql.run(SET_CARD_ON_LINE, {
    accountId: line.accountId,
    lineId: line.id,
    contactCard: shown === null ? null : JSON.stringify(shown),
  });
  if (taken.length === 0) throw new AdapterError("rejected", "the line rejects contact cards");
}
