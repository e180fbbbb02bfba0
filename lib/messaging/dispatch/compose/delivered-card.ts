import "server-only";
import type { OutPart } from "@/lib/adapters/transports/outbound";
import type { StoredAppCardPart } from "@/lib/messaging/content/app-card-part";
import { toOutMedia } from "@/lib/messaging/dispatch/compose/delivered-file";
import { findVendorRef } from "@/lib/messaging/messages/find-vendor-ref";
import { payments } from "@/lib/messaging/sending/payment-port";

/** Converts a card for delivery. A card that replaces another refers to the earlier one. Throws FileDeletedError. */
export async function toOutCard(accountId: string, part: StoredAppCardPart): Promise<OutPart> {
  const { bundle_id, name, team_id, app_store_id } = part.app;
  const { url, fallbackText } = deliveredLink(accountId, part);
  return {
    type: "app_card",
    app: { bundleId: bundle_id, name, teamId: team_id, appStoreId: app_store_id ?? null },
    layout: part.layout,
    image: part.image === null ? null : await toOutMedia(accountId, part.image, false),
    fallbackText,
    interactive: part.interactive,
    url,
    replaces: part.replaces === null ? null : await findVendorRef(accountId, part.replaces),
  };
}

function deliveredLink(accountId: string, { url, fallback_text, experience }: StoredAppCardPart) {
  const link = experience === null ? null : payments().deliveredUrl(accountId, experience);
  if (link === null) return { url, fallbackText: fallback_text };
  return { url: link, fallbackText: fallback_text?.replaceAll(url, link) ?? null };
}
