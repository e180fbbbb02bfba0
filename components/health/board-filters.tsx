"use client";

import { X } from "lucide-react";
import { usePathname, useRouter } from "next/navigation";
import { useTransition } from "react";
import { FilterSelect } from "@/components/data/filter-select";
import { TextFilter } from "@/components/data/text-filter";
import type { BoardFilter } from "@/components/health/board-filter";
import { Button } from "@/components/ui/button";
import { queryString } from "@/lib/client/query-string";

type BoardFiltersProps = { filter: BoardFilter; lines: { id: string; phone_number: string }[] };

/** Narrows the board by line and recipient; the address keeps it. */
export function BoardFilters({ filter, lines }: BoardFiltersProps) {
  const router = useRouter();
  const pathname = usePathname();
  const [pending, startTransition] = useTransition();

  function change(part: { [Name in keyof BoardFilter]: BoardFilter[Name] | undefined }): void {
    const address = `${pathname}${queryString({ ...filter, ...part })}`;
    startTransition(() => router.replace(address, { scroll: false }));
  }

  return (
    <search aria-label="Chats" className="flex flex-wrap items-center gap-2" aria-busy={pending}>
      <TextFilter
        key={filter.q}
        label="Part of the recipient's number or address"
        placeholder="Recipient"
        value={filter.q ?? ""}
        onChange={(q) => change({ q })}
      />
      <FilterSelect
        name="Line"
        all="All lines"
        value={filter.line}
        options={lines.map(({ id, phone_number }) => ({ value: id, label: phone_number }))}
        onChange={(line) => change({ line })}
      />
      {(filter.q !== undefined || filter.line !== undefined) && (
        <Button variant="ghost" size="sm" onClick={() => change({ q: undefined, line: undefined })}>
          <X aria-hidden="true" />
          Clear
        </Button>
      )}
    </search>
  );
}
