import "server-only";
import type { OutPart } from "@/lib/adapters/transports/transport";
import type { StoredAppCardPart } from "@/lib/messaging/messages/app-card-part";
import { toOutMedia } from "@/lib/messaging/messages/delivered-file";
import { findVendorRef } from "@/lib/messaging/messages/find-vendor-ref";
import { type WalletPage, walletUrl } from "@/lib/payments/agent-payments/wallet-link";

/** A card as it is delivered, in place of an earlier one where it replaces that. Throws GoneFile. */
export async function toOutCard(accountId: string, part: StoredAppCardPart): Promise<OutPart> {
  const { bundle_id, name, team_id, app_store_id } = part.app;
  const { url, fallbackText } = withWalletLink(accountId, part);
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

const WALLET_PAGES: Readonly<Record<string, WalletPage>> = { attach_card: "attach", approve_card: "approve" };

// Only the phone gets a customer's wallet link: what is stored, and shown to everybody else, has none.
function withWalletLink(accountId: string, { url, fallback_text, experience }: StoredAppCardPart) {
  const plain = { url, fallbackText: fallback_text };
  const page = WALLET_PAGES[experience?.action ?? ""];
  const subject = experience?.card.subject;
  if (page === undefined || subject?.type !== "agent_payment") return plain;
  const link = walletUrl(page, { account_id: accountId, id: subject.id });
  return { url: link, fallbackText: fallback_text?.replaceAll(url, link) ?? null };
}
