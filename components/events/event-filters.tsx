"use client";

import { ListFilter, X } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { FilterSelect } from "@/components/data/filter-select";
import { SearchBox } from "@/components/data/search-box";
import { TextFilter } from "@/components/data/text-filter";
import type { EventSearch } from "@/components/events/event-search";
import { TypeFilter } from "@/components/events/type-filter";
import { TimeRange } from "@/components/list/time-range";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { PERIODS } from "@/lib/client/filters";
import { queryString } from "@/lib/client/query-string";
import { cn } from "@/lib/cn";
import type { EventGroupChoice } from "@/lib/events/event-groups";

const STATUSES = [
  { value: "waiting", label: "Waiting to be delivered" },
  { value: "delivered", label: "Delivered" },
  { value: "failed", label: "Failed" },
  { value: "skipped", label: "Skipped" },
];
const TIMES = [
  ...Object.entries(PERIODS).map(([value, { label }]) => ({ value, label })),
  { value: "range", label: "From … to …" },
];

export type EventFiltersProps = {
  search: EventSearch;
  groups: EventGroupChoice[];
  lines: { id: string; phone_number: string }[];
  endpoints: { id: string; target_url: string }[];
};

type Change = { [Name in keyof EventSearch]: EventSearch[Name] | undefined };

/** Searches the log, and narrows it; the address keeps it. */
export function EventFilters({ search, ...choices }: EventFiltersProps) {
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  const [shown, setShown] = useState(false);
  const { q, ...narrowing } = search;
  const count = Object.keys(narrowing).length;

  function change(part: Change): void {
    const address = `/events${queryString({ ...search, ...part })}`;
    startTransition(() => router.replace(address, { scroll: false }));
  }

  return (
    <search className="flex flex-col gap-2" aria-busy={pending}>
      <div className="flex flex-wrap items-center gap-2">
        <SearchBox
          key={q ?? ""}
          label="Search by the id of an event, message, chat, line, attachment, payment request, delivery, subscription or replay, a trace id, a phone number or an e-mail address"
          placeholder="Id, trace id, phone number or e-mail"
          value={q ?? ""}
          onSearch={(text) => change({ q: text.trim() })}
        />
        <Button
          variant="outline"
          size="sm"
          className="sm:hidden"
          aria-expanded={shown}
          onClick={() => setShown(!shown)}
        >
          <ListFilter aria-hidden="true" />
          Filters{count > 0 && ` (${count})`}
        </Button>
        {(count > 0 || q !== undefined) && (
          <Button variant="ghost" size="sm" onClick={() => startTransition(() => router.replace("/events"))}>
            <X aria-hidden="true" />
            Clear
          </Button>
        )}
        {pending && <Spinner />}
      </div>
      <div className={cn("flex flex-wrap items-center gap-2", !shown && "max-sm:hidden")}>
        <Narrowing search={search} {...choices} onChange={change} />
      </div>
      {search.since === "range" && (
        <TimeRange key={`${search.from} ${search.to}`} from={search.from} to={search.to} onChange={change} />
      )}
    </search>
  );
}

type NarrowingProps = EventFiltersProps & { onChange: (part: Change) => void };

function Narrowing({ search, groups, lines, endpoints, onChange }: NarrowingProps) {
  return (
    <>
      <TypeFilter
        groups={groups}
        chosen={search.types?.split(",") ?? []}
        onChange={(types) => onChange({ types: types.join(",") })}
      />
      <FilterSelect
        name="Line"
        all="All lines"
        value={search.line}
        options={lines.map(({ id, phone_number }) => ({ value: id, label: phone_number }))}
        onChange={(line) => onChange({ line })}
      />
      <FilterSelect
        name="Time"
        all="Any time"
        value={search.since}
        options={TIMES}
        onChange={(since) => onChange({ since, from: undefined, to: undefined })}
      />
      <FilterSelect
        name="Deliveries"
        all="All deliveries"
        value={search.status}
        options={STATUSES}
        onChange={(status) => onChange({ status })}
      />
      <FilterSelect
        name="Endpoint"
        all="All endpoints"
        value={search.endpoint}
        options={endpoints.map(({ id, target_url }) => ({ value: id, label: target_url }))}
        onChange={(endpoint) => onChange({ endpoint })}
      />
      <TextFilter
        key={`chat ${search.chat}`}
        label="Only of this chat"
        placeholder="Chat id"
        value={search.chat ?? ""}
        onChange={(chat) => onChange({ chat })}
      />
      <TextFilter
        key={`path ${search.path}`}
        label="JSON path the stored facts must fit"
        placeholder={'JSON path: $.message.parts[*].value like_regex "refund"'}
        wide
        value={search.path ?? ""}
        onChange={(path) => onChange({ path })}
      />
    </>
  );
}
