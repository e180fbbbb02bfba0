import { ErrorNote } from "@/components/data/error-note";
import { PageHeader } from "@/components/data/page-header";
import { EventFilters } from "@/components/events/event-filters";
import { isLive, readEventSearch, toEventQuery } from "@/components/events/event-search";
import { EventsSearchView } from "@/components/events/events-search-view";
import { EventsView } from "@/components/events/events-view";
import { PageBody } from "@/components/shell/page-body";
import { listEventGroups } from "@/lib/events/event-groups";
import { logPosition } from "@/lib/events/log-position";
import { SearchEvents, searchEvents } from "@/lib/events/search-events";
import { listLines } from "@/lib/lines/lines/list-lines";
import type { Context } from "@/lib/platform/context";
import { ApiError } from "@/lib/platform/errors";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { listWebhookSubscriptions } from "@/lib/webhooks/list-webhook-subscriptions";

export const metadata = { title: "Events" };

type EventsPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function EventsPage({ searchParams }: EventsPageProps) {
  const { account, ctx, may } = await requireAccount("view_events");
  const [asked, { phone_numbers }, { subscriptions }, after] = await Promise.all([
    searchParams,
    listLines(ctx),
    listWebhookSubscriptions(ctx),
    logPosition(),
  ]);
  const search = readEventSearch(asked);
  const query = toEventQuery(search, ctx.now.getTime());
  const initial = await find(ctx, query);
  const filters = {
    search,
    groups: listEventGroups(),
    lines: phone_numbers.map(({ id, phone_number }) => ({ id, phone_number })),
    endpoints: subscriptions.map(({ id, target_url }) => ({ id, target_url })),
  };

  if (initial instanceof ApiError) {
    return (
      <PageBody className="max-w-none">
        <PageHeader title="Events" description="Everything that happens in the account, as it happens." />
        <EventFilters {...filters} />
        <ErrorNote title="This search is not possible" code={initial.row.code}>
          {initial.message}
        </ErrorNote>
      </PageBody>
    );
  }
  const shown = {
    filters,
    query,
    initial,
    mayManage: may("manage_webhooks"),
  };
  const key = `${account.id} ${JSON.stringify(search)}`;
  if (isLive(search)) return <EventsView key={key} {...shown} after={after} />;
  return <EventsSearchView key={key} {...shown} />;
}

// Whoever edits the address may ask for what cannot be: the page says so, and its filters stay.
async function find(ctx: Context, asked: Record<string, string>) {
  const query = SearchEvents.query.safeParse(asked);
  if (!query.success) return new ApiError("parameter_invalid", query.error.issues[0]?.message);
  return searchEvents(ctx, { query: query.data }).catch((error: unknown) => {
    if (error instanceof ApiError) return error;
    throw error;
  });
}
