import { StatusBadge } from "@/components/data/status-badge";
import type { LineSettings } from "@/lib/lines/overview/list-line-settings";

/** Whether a line has a contact card, and whether the line accepted it. */
export function CardState({ card }: { card: LineSettings["contact_card"] }) {
  if (card === null) return <StatusBadge kind="card" value="none" />;
  return <StatusBadge kind="card" value={card.is_active ? "active" : "failed"} />;
}
