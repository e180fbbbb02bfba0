"use client";

import { X } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTransition } from "react";
import type { AttachmentFilter } from "@/components/attachments/attachment-filter";
import { DIRECTIONS, FAMILIES, TIERS } from "@/components/attachments/describe-file";
import { FilterSelect } from "@/components/data/filter-select";
import { SearchBox } from "@/components/data/search-box";
import { statusLooks } from "@/components/data/status-badge";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { queryString } from "@/lib/client/query-string";

const toOptions = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

const KINDS = Object.entries(FAMILIES).map(([value, { label }]) => ({ value, label }));
const STATUSES = Object.entries(statusLooks.file).map(([value, { label }]) => ({ value, label }));

type AttachmentFiltersProps = { filter: AttachmentFilter; lines: string[] };

/** Narrows the files; the address keeps it. */
export function AttachmentFilters({ filter, lines }: AttachmentFiltersProps) {
  const router = useRouter();
  const [pending, startTransition] = useTransition();

  function change(part: AttachmentFilter): void {
    const next = { ...filter, ...part };
    startTransition(() => router.replace(`/attachments${queryString({ ...next })}`, { scroll: false }));
  }

  const selects = [
    { name: "Kind", all: "All kinds", key: "family", options: KINDS },
    { name: "Status", all: "All statuses", key: "status", options: STATUSES },
    { name: "Direction", all: "All directions", key: "direction", options: toOptions(DIRECTIONS) },
    { name: "Tier", all: "All tiers", key: "tier", options: toOptions(TIERS) },
    {
      name: "Line",
      all: "All lines",
      key: "line",
      options: lines.map((line) => ({ value: line, label: line })),
    },
  ] as const;

  return (
    <search className="flex flex-wrap items-center gap-2" aria-busy={pending}>
      <SearchBox
        key={filter.q ?? ""}
        label="Search by file name, or by the id of a file or a message"
        placeholder="File name, file id or message id"
        value={filter.q ?? ""}
        onSearch={(q) => change({ q })}
      />
      <div className="flex flex-wrap items-center gap-2 max-sm:grid max-sm:w-full max-sm:grid-cols-2">
        {selects.map(({ key, ...select }) => (
          <FilterSelect
            key={key}
            {...select}
            value={filter[key]}
            onChange={(value) => change({ [key]: value })}
          />
        ))}
      </div>
      {Object.keys(filter).length > 0 && (
        <Button
          variant="ghost"
          size="sm"
          onClick={() => startTransition(() => router.replace("/attachments"))}
        >
          <X aria-hidden="true" />
          Clear
        </Button>
      )}
      {pending && <Spinner />}
    </search>
  );
}
