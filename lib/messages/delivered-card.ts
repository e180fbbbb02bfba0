import "server-only";
import type { OutPart } from "@/lib/adapters/transports/transport";
import type { StoredAppCardPart } from "@/lib/messages/app-card-part";
import { toOutMedia } from "@/lib/messages/delivered-file";
import { findVendorRef } from "@/lib/messages/find-vendor-ref";

/** A card as it is delivered, in place of an earlier one where it replaces that. Throws GoneFile. */
export async function toOutCard(accountId: string, part: StoredAppCardPart): Promise<OutPart> {
  const { bundle_id, name, team_id, app_store_id } = part.app;
  return {
    type: "app_card",
    app: { bundleId: bundle_id, name, teamId: team_id, appStoreId: app_store_id ?? null },
    layout: part.layout,
    image: part.image === null ? null : await toOutMedia(accountId, part.image, false),
    fallbackText: part.fallback_text,
    interactive: part.interactive,
    url: part.url,
    replaces: part.replaces === null ? null : await findVendorRef(accountId, part.replaces),
  };
}
