"use client";

import { useQuery } from "@tanstack/react-query";
import { LazySelect } from "@/components/data/fields/lazy-select";
import { Timestamp } from "@/components/data/time/timestamp";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import type { EventView } from "@/lib/events/store/event-view";

const EXAMPLE = "example";
const OFFERED = 10;

type PastEventSelectProps = {
  type: string;
  /** The sequence number of a real event; null = example data. */
  value: number | null;
  onChange: (seq: number | null) => void;
};

/** Selects the payload of a test: example data, or one of the latest real events of the type. */
export function PastEventSelect({ type, value, onChange }: PastEventSelectProps) {
  const { data } = useQuery<{ events: EventView[] }, ApiFailure>({
    queryKey: ["past-events", type],
    queryFn: ({ signal }) =>
      apiFetch(`/api/events${queryString({ types: type, limit: OFFERED })}`, { signal }),
  });
  return (
    <LazySelect
      label="Test payload"
      size="sm"
      className="min-w-0 max-w-full"
      value={value === null ? EXAMPLE : String(value)}
      options={[{ value: EXAMPLE, label: "Example data" }, ...(data?.events ?? []).map(toOption)]}
      onChange={(chosen) => onChange(chosen === EXAMPLE ? null : Number(chosen))}
    />
  );
}

function toOption(event: EventView) {
  const label = nameOf(event);
  return {
    value: String(event.seq),
    label,
    content: (
      <span className="flex min-w-0 max-w-80 items-baseline gap-2">
        <Timestamp value={event.created_at} interactive={false} className="text-muted-foreground" />
        <span className="truncate">{label}</span>
      </span>
    ),
  };
}

function nameOf({ handle, summary, seq }: EventView): string {
  return [handle, summary].filter(Boolean).join(" ") || `Event ${seq}`;
}
