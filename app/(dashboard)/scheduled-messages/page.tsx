import { ScheduledList } from "@/components/chats/scheduled/scheduled-list";
import { ListPage } from "@/components/list/list-page";
import type { Filter, SearchParams } from "@/lib/client/filters";
import { lineChoices } from "@/lib/client/line-text";
import { listLines } from "@/lib/lines/lines/list-lines";
import {
  ListScheduledMessageViews,
  listScheduledMessageViews,
} from "@/lib/messaging/scheduled/list-scheduled-message-views";
import type { Context } from "@/lib/platform/context";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { loadSearch } from "@/lib/runtime/dashboard/load-search";

export const metadata = { title: "Scheduled messages" };

async function filtersOf(ctx: Context): Promise<Filter[]> {
  const { phone_numbers: lines } = await listLines(ctx);
  return [
    {
      type: "select",
      name: "status",
      label: "Status",
      all: "Waiting",
      options: [{ value: "refused", label: "Refused in the last 30 days" }],
    },
    {
      type: "select",
      name: "line",
      param: "line_id",
      label: "Line",
      all: "All lines",
      options: lineChoices(lines),
    },
  ];
}

export default async function ScheduledMessagesPage({
  searchParams,
}: {
  searchParams: Promise<SearchParams>;
}) {
  const { ctx, may } = await requireAccount("view_chats");
  const loaded = await loadSearch(ctx, await searchParams, {
    api: "/api/scheduled-messages/views",
    query: ListScheduledMessageViews.query,
    filters: await filtersOf(ctx),
    search: (query) => listScheduledMessageViews(ctx, { query }),
  });
  return (
    <ListPage
      title="Scheduled messages"
      description="Messages that wait for their time, in all chats, the next one first. Each is checked when it is due, as if it were sent then."
    >
      <ScheduledList found={loaded} maySend={may("send_messages")} />
    </ListPage>
  );
}
