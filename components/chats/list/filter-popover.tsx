"use client";

import { lineOptions } from "@/components/chats/line-options";
import type { ChatFilter } from "@/components/chats/list/use-chats";
import { CsvLink } from "@/components/data/csv-link";
import { LazySelect } from "@/components/data/fields/lazy-select";
import type { LoadedPopup } from "@/components/data/lazy-open";
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

/** Filters the chats by service and by line, and exports the listed ones. */
export function FilterPopover({ filter, lines, csv, onChange, trigger }: FilterPopoverProps & LoadedPopup) {
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
        <CsvLink href={csv} />
      </PopoverContent>
    </Popover>
  );
}
