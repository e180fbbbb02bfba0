"use client";

import { ListFilter, X } from "lucide-react";
import dynamic from "next/dynamic";
import { useId, useState } from "react";
import { useNow } from "@/components/data/time/clock";
import { untilLoaded } from "@/components/data/until-loaded";
import { FilterField } from "@/components/list/filter-field";
import type { Filters } from "@/components/list/use-filters";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { type ActiveFilter, activeFilters, isFolded, RANGE } from "@/lib/client/filters";
import { cn } from "@/lib/cn";

// Most readers choose a period.
const TimeRange = dynamic(
  () => untilLoaded(async () => (await import("@/components/list/time-range")).TimeRange),
  { loading: () => null },
);

type FilterBarProps = {
  /** The accessible name of the toolbar: the items that it filters. */
  label: string;
  state: Filters;
};

/** The toolbar of a list: its filters, the active ones, and a button that clears them. */
export function FilterBar({ label, state }: FilterBarProps) {
  const { filters, values, change, clears } = state;
  const id = useId();
  const [isShown, setShown] = useState(false);
  const [isUnfolded, setUnfolded] = useState(false);
  const search = filters.find(({ type }) => type === "search" || type === "text");
  const rest = filters.filter((filter) => filter !== search && filter.type !== "tab");
  const shown = rest.filter((filter) => isUnfolded || !isFolded(filter, values));
  if (filters.every(({ type }) => type === "tab")) return null;

  return (
    <search aria-label={label} className="flex min-w-0 flex-col gap-2" aria-busy={state.isPending}>
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        {search && <FilterField key={clears} filter={search} values={values} onChange={change} />}
        {rest.length > 0 && (
          <>
            <Button
              variant="outline"
              size="sm"
              className="sm:hidden"
              aria-expanded={isShown}
              aria-controls={id}
              onClick={() => setShown(!isShown)}
            >
              <ListFilter aria-hidden="true" />
              Filters{state.count > 0 && ` (${state.count})`}
            </Button>
            <div
              id={id}
              className={cn(
                "flex min-w-0 flex-wrap items-center gap-2 max-sm:grid max-sm:w-full max-sm:grid-cols-2",
                !isShown && "max-sm:hidden",
              )}
            >
              {shown.map((filter) => (
                <FilterField
                  key={`${keyOf(filter)} ${clears}`}
                  filter={filter}
                  values={values}
                  onChange={change}
                />
              ))}
              {shown.length < rest.length && (
                <Button variant="ghost" size="sm" onClick={() => setUnfolded(true)}>
                  <ListFilter aria-hidden="true" />
                  More filters
                </Button>
              )}
            </div>
          </>
        )}
        {state.isPending && <Spinner />}
      </div>
      {values.since === RANGE && (
        <TimeRange from={values.from} to={values.to} onChange={(range) => change({ ...range })} />
      )}
      {state.count > 0 && <ActiveFilters state={state} />}
    </search>
  );
}

function keyOf(filter: Filters["filters"][number]): string {
  return "name" in filter ? filter.name : filter.type;
}

function ActiveFilters({ state: { filters, values, change, clear } }: Pick<FilterBarProps, "state">) {
  const { hydrated } = useNow();
  const inUtc = activeFilters(filters, values, "UTC");
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-1.5">
      {activeFilters(filters, values, hydrated ? undefined : "UTC").map((active, index) => (
        <Chip
          key={active.names.join()}
          active={active}
          title={inUtc[index]?.text ?? active.text}
          onRemove={() => change(Object.fromEntries(active.names.map((name) => [name, undefined])))}
        />
      ))}
      <Button variant="ghost" size="sm" onClick={clear}>
        <X aria-hidden="true" />
        Clear filters
      </Button>
    </div>
  );
}

type ChipProps = {
  active: ActiveFilter;
  /** The whole text, with times in UTC. */
  title: string;
  onRemove: () => void;
};

function Chip({ active: { label, text }, title, onRemove }: ChipProps) {
  return (
    <button
      type="button"
      title={`${label}: ${title}`}
      onClick={onRemove}
      className="flex h-6.5 min-w-0 max-w-72 items-center gap-1.5 rounded-full border bg-muted px-2.5 text-xs hover:bg-accent pointer-coarse:h-9"
    >
      <span className="sr-only">Remove the filter </span>
      <span className="text-muted-foreground">{label}: </span>
      <span className="truncate">{text}</span>
      <X className="size-3 shrink-0" aria-hidden="true" />
    </button>
  );
}
