import { Radio, SearchX } from "lucide-react";
import { EmptyState } from "@/components/data/empty-state";

/** Why no event is shown, and what brings one. */
export function NoEvents({ narrowed, live }: { narrowed: boolean; live: boolean }) {
  if (!live) {
    return (
      <EmptyState
        icon={SearchX}
        title="No such event"
        description="Nothing in the log fits. Widen the time, or clear a filter."
      />
    );
  }
  return (
    <EmptyState
      icon={Radio}
      title={narrowed ? "No such event yet" : "Nothing has happened yet"}
      description={
        narrowed
          ? "It will appear here when it happens. Clear the filters to see everything."
          : "Send a message, or let a phone write to a line: what happens appears here at once."
      }
    />
  );
}
