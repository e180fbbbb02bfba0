import { RecordBadge } from "@/components/data/record-badge";
import type { LineView } from "@/lib/lines/overview/list-line-views";

/** Whether a line has a contact card, and whether the line accepted it. */
export function CardState({ card }: { card: LineView["contact_card"] }) {
  if (card === null) return <RecordBadge kind="card" value="none" />;
  return <RecordBadge kind="card" value={card.is_active ? "active" : "failed"} />;
}
