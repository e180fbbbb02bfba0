import { Radio } from "lucide-react";
import { EmptyState } from "@/components/data/empty-state";
import { EVENTS, type FoundEvents } from "@/components/events/events-layout";
import { NoResults } from "@/components/list/list-screen";
import { useFilters } from "@/components/list/use-filters";

/** Empty state of an account without events. */
export function NoEvents() {
  return (
    <EmptyState
      icon={Radio}
      title="No events yet"
      description="Events of this account appear here live. Send a message to create the first ones."
    />
  );
}

/** Empty state when no event matches the filters. */
export function NoEventMatches({ found }: { found: FoundEvents }) {
  const { clear } = useFilters(found.filters, found.values);
  return <NoResults noun={EVENTS} onClear={clear} />;
}
