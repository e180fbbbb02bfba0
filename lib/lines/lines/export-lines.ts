import "server-only";
import { ListLineSettings, listLineSettings } from "@/lib/lines/lines/list-line-settings";
import { exportOf } from "@/lib/platform/export-of";

/** The lines of an account as CSV. */
export const exportLines = exportOf(ListLineSettings, listLineSettings, {
  summary: "Export phone lines as CSV",
  filename: "lines.csv",
  itemsOf: (page) => page.lines,
  columns: {
    line_id: ({ id }) => id,
    phone_number: ({ phone_number }) => phone_number,
    line_type: ({ line_type }) => line_type,
    status: ({ status }) => status,
    is_up: ({ is_up }) => String(is_up),
    reputation: ({ reputation }) => reputation.status,
    healthy_chats: ({ chats }) => chats.healthy,
    at_risk_chats: ({ chats }) => chats.at_risk,
    critical_chats: ({ chats }) => chats.critical,
    opted_out_chats: ({ chats }) => chats.opted_out,
    sent_7_days: ({ week }) => sum(week.map(({ sent }) => sent)),
    received_7_days: ({ week }) => sum(week.map(({ received }) => received)),
    failed_7_days: ({ week }) => sum(week.map(({ failed }) => failed)),
    forwarding_number: ({ forwarding_number }) => forwarding_number,
    transport: ({ transport }) => transport,
    contact_card: ({ contact_card: card }) => [card?.first_name, card?.last_name].filter(Boolean).join(" "),
    created_at: ({ created_at }) => created_at,
  },
});

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
