"use client";

import { useQuery } from "@tanstack/react-query";
import { ContactRound } from "lucide-react";
import { CardImage } from "@/components/contact-cards/card-image";
import { CardState } from "@/components/contact-cards/card-state";
import { type DataColumn, DataTable } from "@/components/data/data-table";
import { EmptyState } from "@/components/data/empty-state";
import { FailureNote } from "@/components/data/failure-note";
import { PageHeader } from "@/components/data/page-header";
import { linesKey } from "@/components/lines/lines-key";
import { PageBody } from "@/components/shell/page-body";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { LineSettings } from "@/lib/lines/lines/list-line-settings";

const columns: DataColumn<LineSettings>[] = [
  {
    key: "line",
    header: "Line",
    cell: ({ phone_number }) => <span className="font-mono text-xs">{phone_number}</span>,
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
export function ContactCardsView({ initial }: { initial: LineSettings[] }) {
  const { data, error, refetch } = useQuery<{ lines: LineSettings[] }, ApiFailure>({
    queryKey: linesKey,
    queryFn: ({ signal }) => apiFetch("/api/lines", { signal }),
    initialData: { lines: initial },
    refetchInterval: 30_000,
  });
  return (
    <PageBody>
      <PageHeader
        title="Contact cards"
        description="The name and photo of each line. Changes apply to the line immediately. Share a card in a chat to show it on the recipient's phone."
      />
      <FailureNote title="This list may be out of date" failure={error} onRetry={() => void refetch()} />
      <DataTable
        label="Contact cards"
        columns={columns}
        rows={data.lines}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/contact-cards/${id}`}
        empty={
          <EmptyState
            icon={ContactRound}
            title="No lines yet"
            description="The contact cards of your lines appear here. Ask your operator to add a line with npm run admin -- create-line."
          />
        }
      />
    </PageBody>
  );
}

function nameOf(card: NonNullable<LineSettings["contact_card"]>): string {
  return [card.first_name, card.last_name].filter(Boolean).join(" ");
}
