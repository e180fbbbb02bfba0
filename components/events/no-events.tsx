import { Radio } from "lucide-react";
import { EmptyState } from "@/components/data/empty-state";
import type { FoundEvents } from "@/components/events/events-layout";
import { NoResults } from "@/components/list/list-screen";
import { useFilters } from "@/components/list/use-filters";

/** In place of the log before the first event. */
export function NoEvents() {
  return (
    <EmptyState
      icon={Radio}
      title="No events yet"
      description="Events appear here as they happen. Send a message, or let a simulated phone write to a line."
    />
  );
}

/** In place of the log when the filters leave no event. */
export function NoEventMatches({ found }: { found: FoundEvents }) {
  const { clear } = useFilters(found.filters, found.values);
  return <NoResults noun="events" onClear={clear} />;
}
