"use client";

import { lineOptions } from "@/components/chats/line-options";
import type { ChatFilter } from "@/components/chats/list/use-chats";
import { CsvLink } from "@/components/data/csv-link";
import { LazySelect } from "@/components/data/fields/lazy-select";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { ownFirst, useTeams } from "@/components/teams/use-teams";
import { withChosen } from "@/components/teams/with-chosen";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import type { Line } from "@/lib/lines/lines/line";

const ALL = "all";

const SERVICES = ["iMessage", "RCS", "SMS"].map((service) => ({ value: service, label: service }));

export type FilterPopoverProps = {
  filter: ChatFilter;
  lines: Line[];
  /** The address of the CSV file with the listed chats. */
  csv: string;
  onChange: (change: Partial<ChatFilter>) => void;
};

/** Filters the chats by service, by line and by team, and exports the listed ones. */
export function FilterPopover({ filter, lines, csv, onChange, trigger }: FilterPopoverProps & LoadedPopup) {
  const { data } = useTeams();
  const gone = { id: filter.team ?? ALL, name: data === undefined ? "Loading…" : "A deleted team" };
  const teams = withChosen(ownFirst(data?.teams ?? []), filter.team === null ? null : gone);
  return (
    <Popover defaultOpen>
      <PopoverTrigger asChild>{trigger}</PopoverTrigger>
      <PopoverContent align="end" aria-label="Filters" className="flex w-72 flex-col gap-3">
        <LazySelect
          label="Service"
          size="sm"
          className="w-full"
          value={filter.service ?? ALL}
          options={[{ value: ALL, label: "All services" }, ...SERVICES]}
          onChange={(service) => onChange({ service: service === ALL ? null : service })}
        />
        {lines.length > 1 && (
          <LazySelect
            label="Line"
            size="sm"
            className="w-full"
            value={filter.line ?? ALL}
            options={[{ value: ALL, label: "All lines" }, ...lineOptions(lines, "id")]}
            onChange={(line) => onChange({ line: line === ALL ? null : line })}
          />
        )}
        {teams.length > 0 && (
          <LazySelect
            label="Team"
            size="sm"
            className="w-full"
            value={filter.team ?? ALL}
            options={[
              { value: ALL, label: "All teams" },
              ...teams.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onChange={(team) => onChange({ team: team === ALL ? null : team })}
          />
        )}
        <CsvLink href={csv} />
      </PopoverContent>
    </Popover>
  );
}
