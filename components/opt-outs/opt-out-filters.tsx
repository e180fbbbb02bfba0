"use client";

import { X } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { FilterSelect } from "@/components/data/filter-select";
import { SearchBox } from "@/components/data/search-box";
import type { OptOutFilter } from "@/components/opt-outs/opt-out-filter";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { queryString } from "@/lib/client/query-string";

const STATES = [{ value: "ended", label: "Also those that have ended" }];

/** Narrows the opt-outs; the address keeps it. */
export function OptOutFilters({ filter }: { filter: OptOutFilter }) {
  const router = useRouter();
  const [pending, startTransition] = useTransition();

  function change(next: OptOutFilter): void {
    startTransition(() => router.replace(`/opt-outs${queryString({ ...next })}`, { scroll: false }));
  }

  return (
    <search className="flex flex-wrap items-center gap-2" aria-busy={pending}>
      <SearchBox
        key={filter.handle ?? ""}
        label="Search by a whole number or e-mail address"
        placeholder="+1 555 010 0101 or an e-mail address"
        value={filter.handle ?? ""}
        onSearch={(text) => change({ ...filter, handle: text.trim() })}
      />
      <FilterSelect
        name="State"
        all="Opted out now"
        value={filter.state && "ended"}
        options={STATES}
        onChange={(state) => change({ handle: filter.handle ?? "", ...(state && { state: "all" }) })}
      />
      {(filter.handle !== undefined || filter.state !== undefined) && (
        <Button variant="ghost" size="sm" onClick={() => change({})}>
          <X aria-hidden="true" />
          Clear
        </Button>
      )}
      {pending && <Spinner />}
    </search>
  );
}
