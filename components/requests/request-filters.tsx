"use client";

import { ListFilter, X } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { FilterSelect } from "@/components/data/filter-select";
import { SearchBox } from "@/components/data/search-box";
import { TimeRange } from "@/components/list/time-range";
import { PERIODS, type RequestFilter, readSearch } from "@/components/requests/request-filter";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { queryString } from "@/lib/client/query-string";
import { cn } from "@/lib/cn";

type RequestFacets = {
  routes: string[];
  errorCodes: number[];
  tokens: { id: string; name: string }[];
  lines: string[];
};

type RequestFiltersProps = { filter: RequestFilter; facets: RequestFacets };

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"].map((method) => ({ value: method, label: method }));
const STATUSES = [
  { value: "2xx", label: "2xx succeeded" },
  { value: "4xx", label: "4xx refused" },
  { value: "5xx", label: "5xx failed" },
];
const TIMES = [
  ...Object.entries(PERIODS).map(([value, { label }]) => ({ value, label })),
  { value: "range", label: "From … to …" },
];

/** Narrows the log; the address keeps it. */
export function RequestFilters({ filter, facets }: RequestFiltersProps) {
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  const [shown, setShown] = useState(false);
  const { q, from, to, ...chosen } = filter;
  const count = Object.keys(chosen).length;

  function change(part: RequestFilter): void {
    const next = { ...filter, ...part };
    startTransition(() => router.replace(`/requests${queryString({ ...next })}`, { scroll: false }));
  }

  return (
    <search className="flex flex-col gap-2" aria-busy={pending}>
      <div className="flex flex-wrap items-center gap-2">
        <SearchBox
          key={q ?? ""}
          label="Search by trace id, chat id, message id or path"
          placeholder="Trace, chat or message id, or a path"
          value={q ?? ""}
          onSearch={(text) => change({ q: undefined, ...readSearch(text) })}
        />
        <Button
          variant="outline"
          size="sm"
          className="sm:hidden"
          aria-expanded={shown}
          aria-controls="request-filters"
          onClick={() => setShown(!shown)}
        >
          <ListFilter aria-hidden="true" />
          Filters{count > 0 && ` (${count})`}
        </Button>
        {(count > 0 || q !== undefined) && (
          <Button
            variant="ghost"
            size="sm"
            onClick={() => startTransition(() => router.replace("/requests"))}
          >
            <X aria-hidden="true" />
            Clear
          </Button>
        )}
        {pending && <Spinner />}
      </div>
      <div
        id="request-filters"
        className={cn(
          "flex flex-wrap items-center gap-2 max-sm:grid max-sm:grid-cols-2",
          !shown && "max-sm:hidden",
        )}
      >
        <FilterSelect
          name="Method"
          all="All methods"
          value={filter.method}
          options={METHODS}
          onChange={(method) => change({ method })}
        />
        <FilterSelect
          name="Answer"
          all="All answers"
          value={filter.status}
          options={STATUSES}
          onChange={(status) => change({ status })}
        />
        <FilterSelect
          name="Endpoint"
          all="All endpoints"
          value={filter.path}
          options={facets.routes.map((route) => ({ value: route, label: route }))}
          onChange={(path) => change({ path })}
        />
        <FilterSelect
          name="Error code"
          all="All codes"
          value={filter.code}
          options={facets.errorCodes.map((code) => ({ value: String(code), label: String(code) }))}
          onChange={(code) => change({ code })}
        />
        <FilterSelect
          name="Token"
          all="All tokens"
          value={filter.token}
          options={facets.tokens.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(token) => change({ token })}
        />
        <FilterSelect
          name="Line"
          all="All lines"
          value={filter.line}
          options={facets.lines.map((line) => ({ value: line, label: line }))}
          onChange={(line) => change({ line })}
        />
        <FilterSelect
          name="Time"
          all="Any time"
          value={filter.since}
          options={TIMES}
          onChange={(since) => change({ since, from: undefined, to: undefined })}
        />
      </div>
      {filter.since === "range" && <TimeRange from={from} to={to} onChange={change} />}
    </search>
  );
}
