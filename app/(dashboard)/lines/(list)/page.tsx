import { LineList } from "@/components/lines/line-list";
import { ListPage } from "@/components/list/list-page";
import type { Filter, SearchParams } from "@/lib/client/filters";
import { ListLineViews, listLineViews } from "@/lib/lines/overview/list-line-views";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { lineOfferFor } from "@/lib/runtime/dashboard/line-offer";
import { loadSearch } from "@/lib/runtime/dashboard/load-search";

export const metadata = { title: "Lines" };

const FILTERS: Filter[] = [
  { type: "text", name: "q", label: "Part of the number", placeholder: "Number" },
  {
    type: "select",
    name: "status",
    label: "Status",
    all: "All statuses",
    options: [
      { value: "ACTIVE", label: "Active" },
      { value: "FLAGGED", label: "Flagged" },
      { value: "down", label: "Down" },
    ],
  },
  {
    type: "select",
    name: "type",
    label: "Type",
    all: "All types",
    options: [
      { value: "iMessage", label: "iMessage" },
      { value: "RCS", label: "RCS" },
    ],
  },
  {
    type: "select",
    name: "reputation",
    label: "Reputation",
    all: "Any reputation",
    options: [
      { value: "HEALTHY", label: "Healthy" },
      { value: "AT_RISK", label: "At risk" },
      { value: "CRITICAL", label: "Critical" },
    ],
  },
];

export default async function LinesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { account, ctx, may } = await requireAccount("view_lines");
  const loaded = await loadSearch(ctx, await searchParams, {
    api: "/api/lines",
    query: ListLineViews.query,
    filters: FILTERS,
    search: (query) => listLineViews(ctx, { query }),
  });
  return (
    <ListPage
      title="Lines"
      description="Phone numbers that send and receive messages. A line's reputation depends on the health of its chats."
    >
      <LineList found={loaded} offer={lineOfferFor(account, may)} />
    </ListPage>
  );
}
