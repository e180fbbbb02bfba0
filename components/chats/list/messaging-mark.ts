import type { StatusOf } from "@/components/data/status-badge";
import type { SendBlocker } from "@/lib/messaging/sending/send-blocker";

/**
 * The badge that says whether a chat can be messaged, shown before its health: a healthy chat with a blocked recipient is
 * no chat to write to. null when it can.
 */
export function messagingMark(
  sendBlockers: readonly SendBlocker[],
  hasNearMiss: boolean,
): StatusOf<"messaging"> | null {
  const refusing = sendBlockers.find(({ refuses }) => refuses);
  if (refusing?.reason === "blocked" || refusing?.reason === "opted_out") return refusing.reason;
  if (refusing !== undefined) return "unreachable";
  return hasNearMiss ? "near_miss" : null;
}
