"use client";

import { useRouter } from "next/navigation";
import { useTransition } from "react";
import type { LogFilter } from "@/components/events/use-event-log";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";
import { Spinner } from "@/components/ui/spinner";
import { queryString } from "@/lib/client/query-string";
import type { Line } from "@/lib/lines/line";

const ALL = "all";

type EventFiltersProps = { filter: LogFilter; types: string[]; lines: Line[] };

/** Narrows the log to a type and a line; the address keeps it. */
export function EventFilters({ filter, types, lines }: EventFiltersProps) {
  const router = useRouter();
  const [pending, startTransition] = useTransition();

  function change(part: Partial<LogFilter>): void {
    const { type, line } = { ...filter, ...part };
    startTransition(() => router.replace(`/events${queryString({ type, line })}`, { scroll: false }));
  }

  return (
    <search className="flex flex-wrap items-center gap-2">
      <Select
        value={filter.type ?? ALL}
        onValueChange={(type) => change({ type: type === ALL ? null : type })}
      >
        <SelectTrigger size="sm" aria-label="Type">
          <SelectValue />
        </SelectTrigger>
        <SelectContent>
          <SelectItem value={ALL}>All types</SelectItem>
          {types.map((type) => (
            <SelectItem key={type} value={type}>
              {type}
            </SelectItem>
          ))}
        </SelectContent>
      </Select>
      <Select
        value={filter.line ?? ALL}
        onValueChange={(line) => change({ line: line === ALL ? null : line })}
      >
        <SelectTrigger size="sm" aria-label="Line">
          <SelectValue />
        </SelectTrigger>
        <SelectContent>
          <SelectItem value={ALL}>All lines</SelectItem>
          {lines.map((line) => (
            <SelectItem key={line.id} value={line.id}>
              {line.phone_number}
            </SelectItem>
          ))}
        </SelectContent>
      </Select>
      {pending && <Spinner />}
    </search>
  );
}
