"use client";

import { ContactRound } from "lucide-react";
import { CardImage } from "@/components/contact-cards/card-image";
import { CardState } from "@/components/contact-cards/card-state";
import type { DataColumn } from "@/components/data/data-table";
import { LineName } from "@/components/lines/line-name";
import { ListScreen } from "@/components/list/list-screen";
import type { LoadedSearch } from "@/lib/client/filters";
import type { LineView } from "@/lib/lines/overview/list-line-views";

const LOOK_MS = 30_000;

const columns: DataColumn<LineView>[] = [
  {
    key: "line",
    header: "Line",
    cell: ({ phone_number }) => <LineName number={phone_number} className="text-xs" />,
  },
  {
    key: "card",
    header: "Recipients see",
    cell: ({ contact_card: card }) =>
      card === null ? (
        <span className="text-muted-foreground">Phone number only</span>
      ) : (
        <span className="flex min-w-0 items-center gap-2.5">
          <CardImage name={nameOf(card)} url={card.image_url ?? null} className="size-8 text-xs" />
          <span className="wrap-anywhere">{nameOf(card)}</span>
        </span>
      ),
  },
  { key: "state", header: "Status", cell: ({ contact_card }) => <CardState card={contact_card} /> },
];

/** The contact card of each line. */
export function ContactCardList({ found }: { found?: LoadedSearch<{ lines: LineView[] }> }) {
  return (
    <ListScreen
      found={found}
      label="Contact cards"
      noun={{ one: "line", many: "lines" }}
      rowsOf={(page) => page.lines}
      columns={columns}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `/contact-cards/${id}`}
      live={{ everyMs: LOOK_MS }}
      empty={{
        icon: ContactRound,
        title: "No lines yet",
        description:
          "The contact cards of your lines appear here. Ask your operator to add a line with npm run admin -- create-line.",
      }}
    />
  );
}

function nameOf(card: NonNullable<LineView["contact_card"]>): string {
  return [card.first_name, card.last_name].filter(Boolean).join(" ");
}
