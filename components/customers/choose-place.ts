import type { TargetSendBlockers } from "@/lib/messaging/sending/find-send-blockers";

/**
 * The chat that answers whether a customer can be messaged: the most recently active one that accepts sends, otherwise
 * the most recently active one. undefined for a handle without chats and blockers.
 */
export function choosePlace(places: readonly TargetSendBlockers[]): TargetSendBlockers | undefined {
  return places.find(({ sendBlockers }) => !sendBlockers.some(({ refuses }) => refuses)) ?? places[0];
}
