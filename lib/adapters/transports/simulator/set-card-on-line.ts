import "server-only";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { OutContactCard } from "@/lib/adapters/transports/outbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { sql } from "@/lib/platform/database/db";

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
  const taken = await sql.query<{ line_id: string }>({
    text: `insert into simulator_lines as l (account_id, line_id, contact_card) values ($1, $2, $3)
           on conflict (account_id, line_id) do update set contact_card = excluded.contact_card
             where not l.cards_fail
           returning line_id`,
    values: [line.accountId, line.id, shown === null ? null : JSON.stringify(shown)],
  });
  if (taken.length === 0) throw new AdapterError("rejected", "the line rejects contact cards");
}
