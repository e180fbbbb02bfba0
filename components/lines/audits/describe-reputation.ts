import type { LineView } from "@/lib/lines/overview/list-line-views";

/** The number of chats that a line needs for a reputation (docs: chat health). */
const MIN_RATED_CHATS = 20;

/** A short explanation of a line's reputation. */
export function describeReputation({ chats, reputation }: Pick<LineView, "chats" | "reputation">): string {
  const total = chats.healthy + chats.at_risk + chats.critical + chats.opted_out;
  const bad = chats.critical + chats.opted_out;
  // A simulated line keeps the reputation that was set for it.
  if (total < MIN_RATED_CHATS && reputation.status !== "HEALTHY") return "Not rated from its chats now";
  if (total < MIN_RATED_CHATS) return `Rated once it has ${MIN_RATED_CHATS} chats`;
  if (bad + chats.at_risk === 0) return "All chats healthy";
  const parts = [
    bad > 0 && `${percent(bad, total)} critical or opted out`,
    chats.at_risk > 0 && `${percent(chats.at_risk, total)} at risk`,
  ];
  return parts.filter((part) => part !== false).join(", ");
}

function percent(part: number, total: number): string {
  const share = (part / total) * 100;
  return share < 1 ? "under 1%" : `${Math.round(share)}%`;
}
