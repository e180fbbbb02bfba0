"use client";

import { X } from "lucide-react";
import { usePathname, useRouter } from "next/navigation";
import { useTransition } from "react";
import { FilterSelect } from "@/components/data/filter-select";
import { TextFilter } from "@/components/data/text-filter";
import type { LineFilter } from "@/components/lines/line-filter";
import { Button } from "@/components/ui/button";
import { queryString } from "@/lib/client/query-string";

const STATUSES = [
  { value: "ACTIVE", label: "Active" },
  { value: "FLAGGED", label: "Flagged" },
  { value: "down", label: "Down" },
];
const TYPES = [
  { value: "iMessage", label: "iMessage" },
  { value: "RCS", label: "RCS" },
];
const REPUTATIONS = [
  { value: "HEALTHY", label: "Healthy" },
  { value: "AT_RISK", label: "At risk" },
  { value: "CRITICAL", label: "Critical" },
];

/** Narrows the lines; the address keeps it. */
export function LineFilters({ filter }: { filter: LineFilter }) {
  const router = useRouter();
  const pathname = usePathname();
  const [pending, startTransition] = useTransition();

  function change(part: { [Name in keyof LineFilter]: LineFilter[Name] | undefined }): void {
    const address = `${pathname}${queryString({ ...filter, ...part })}`;
    startTransition(() => router.replace(address, { scroll: false }));
  }

  return (
    <search aria-label="Lines" className="flex flex-wrap items-center gap-2" aria-busy={pending}>
      <TextFilter
        key={filter.q}
        label="Part of the number"
        placeholder="Number"
        value={filter.q ?? ""}
        onChange={(q) => change({ q })}
      />
      <FilterSelect
        name="Status"
        all="All statuses"
        value={filter.status}
        options={STATUSES}
        onChange={(status) => change({ status })}
      />
      <FilterSelect
        name="Type"
        all="All types"
        value={filter.type}
        options={TYPES}
        onChange={(type) => change({ type })}
      />
      <FilterSelect
        name="Reputation"
        all="Any reputation"
        value={filter.reputation}
        options={REPUTATIONS}
        onChange={(reputation) => change({ reputation })}
      />
      {Object.keys(filter).length > 0 && (
        <Button
          variant="ghost"
          size="sm"
          onClick={() => startTransition(() => router.replace(pathname, { scroll: false }))}
        >
          <X aria-hidden="true" />
          Clear
        </Button>
      )}
    </search>
  );
}
