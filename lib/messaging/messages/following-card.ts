import "server-only";
import type { StoredPart } from "@/lib/messaging/messages/message-part";
import type { FollowingCard } from "@/lib/payments/experiences/record-card";

const ASKS = { attach_card: "attach", approve_card: "approve" } as const;

/** What the card of a new message is about, when it is one that follows; null for all else, updates of cards too. */
export function followingCard([part]: readonly StoredPart[]): FollowingCard | null {
  if (part?.type !== "imessage_app" || part.replaces !== null || part.experience === null) return null;
  const { action, card } = part.experience;
  if (card.subject === null) return null;
  const asksFor = action === "attach_card" || action === "approve_card" ? ASKS[action] : null;
  return { subject: card.subject, asksFor };
}
