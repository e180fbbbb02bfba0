import { EventsView } from "@/components/events/events-view";
import { requireAccount } from "@/lib/dashboard/current-session";
import { EVENT_TYPES, EVENTS } from "@/lib/events/catalog";
import { logPosition } from "@/lib/events/log-position";
import { searchEvents } from "@/lib/events/search-events";
import { listLines } from "@/lib/lines/list-lines";

export const metadata = { title: "Events" };

type EventsPageProps = { searchParams: Promise<{ type?: string; line?: string }> };

export default async function EventsPage({ searchParams }: EventsPageProps) {
  const { account, ctx } = await requireAccount();
  const [{ type, line }, { phone_numbers }, after] = await Promise.all([
    searchParams,
    listLines(ctx),
    logPosition(),
  ]);
  const types: string[] = EVENT_TYPES.filter((known) => !EVENTS[known].neverSent);
  const filter = {
    type: types.find((known) => known === type) ?? null,
    line: phone_numbers.find(({ id }) => id === line)?.id ?? null,
  };

  const initial = await searchEvents(ctx, {
    query: { types: filter.type === null ? [] : [filter.type], line_id: filter.line ?? undefined, limit: 50 },
  });
  return (
    <EventsView
      key={`${account.id} ${filter.type} ${filter.line}`}
      filter={filter}
      initial={initial}
      after={after}
      types={types}
      lines={phone_numbers}
    />
  );
}
