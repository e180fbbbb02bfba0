import "server-only";
import { z } from "zod";
import type { OutContactCard } from "@/lib/adapters/transports/outbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { upstreamOf } from "@/lib/adapters/transports/upstream/upstream-api";
import { UpstreamError } from "@/lib/adapters/transports/upstream/upstream-errors";
import { uploadFile } from "@/lib/adapters/transports/upstream/upstream-files";

const Any = z.unknown();
const Cards = z.object({ contact_cards: z.array(z.object({ phone_number: z.string() })) });

/** Sets the contact card of the upstream line, or removes it. Throws AdapterError. */
export async function setUpstreamCard(
  line: LineRef,
  card: OutContactCard | null,
  signal: AbortSignal,
): Promise<void> {
  const api = await upstreamOf(line);
  const query = { phone_number: api.number };
  const { contact_cards } = await api.call("GET /v3/contact_card", { schema: Cards, query, signal });
  const exists = contact_cards.some(({ phone_number }) => phone_number === api.number);
  if (card === null) {
    if (!exists) return;
    await api.call("DELETE /v3/contact_card", { schema: Any, query, signal }).catch(ignoreNotFound);
    return;
  }
  const image_url = card.image === null ? null : (await uploadFile(api, card.image, signal)).downloadUrl;
  // null removes the last name or the image of an earlier card.
  const body = { first_name: card.firstName, last_name: card.lastName, image_url };
  if (exists) await api.call("PATCH /v3/contact_card", { schema: Any, query, body, signal });
  else {
    const given = Object.entries({ ...body, phone_number: api.number }).filter(([, value]) => value !== null);
    await api.call("POST /v3/contact_card", { schema: Any, body: Object.fromEntries(given), signal });
  }
}

function ignoreNotFound(error: unknown): void {
  if (!(error instanceof UpstreamError) || error.status !== 404) throw error;
}
