"use client";

import { useQuery } from "@tanstack/react-query";
import { Timestamp } from "@/components/data/timestamp";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import type { EventNotice } from "@/lib/events/event-notice";

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
  const { data } = useQuery<{ events: EventNotice[] }, ApiFailure>({
    queryKey: ["past-events", type],
    queryFn: ({ signal }) =>
      apiFetch(`/api/events${queryString({ types: type, limit: OFFERED })}`, { signal }),
  });
  return (
    <Select
      value={value === null ? EXAMPLE : String(value)}
      onValueChange={(chosen) => onChange(chosen === EXAMPLE ? null : Number(chosen))}
    >
      <SelectTrigger size="sm" aria-label="Test payload" className="min-w-0 max-w-full">
        <SelectValue />
      </SelectTrigger>
      <SelectContent className="max-w-[calc(100vw-1rem)]">
        <SelectItem value={EXAMPLE}>Example data</SelectItem>
        {data?.events.map((event) => (
          <SelectItem key={event.seq} value={String(event.seq)}>
            <span className="flex min-w-0 max-w-80 items-baseline gap-2">
              <Timestamp value={event.created_at} interactive={false} className="text-muted-foreground" />
              <span className="truncate">{nameOf(event)}</span>
            </span>
          </SelectItem>
        ))}
      </SelectContent>
    </Select>
  );
}

function nameOf({ handle, summary, seq }: EventNotice): string {
  return [handle, summary].filter(Boolean).join(" ") || `Event ${seq}`;
}
