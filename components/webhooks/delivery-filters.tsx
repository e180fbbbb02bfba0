"use client";

import { ListFilter, X } from "lucide-react";
import { usePathname, useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { FilterSelect } from "@/components/data/filter-select";
import { TypeFilter } from "@/components/events/type-filter";
import { TimeRange } from "@/components/list/time-range";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import type { DeliveryFilter } from "@/components/webhooks/delivery-filter";
import { SubjectFilter } from "@/components/webhooks/subject-filter";
import { queryString } from "@/lib/client/query-string";
import { cn } from "@/lib/cn";
import type { EventGroupChoice } from "@/lib/events/event-groups";

const STATUSES = [
  { value: "waiting", label: "Waiting" },
  { value: "delivered", label: "Delivered" },
  { value: "failed", label: "Failed" },
  { value: "skipped", label: "Skipped" },
];
const NO_ANSWER = [
  "timeout",
  "refused",
  "reset",
  "tls",
  "network",
  "dns",
  "private_target",
  "invalid_target",
  "not_in_version",
];
const CODES = [200, 201, 202, 204, 301, 302, 307, 308, 400, 401, 403, 404, 405, 408, 410, 413, 415, 422, 429];
const RESPONSES = [...NO_ANSWER, ...CODES.concat(500, 502, 503, 504).map(String)].map((value) => ({
  value,
  label: value.replaceAll("_", " "),
}));

type DeliveryFiltersProps = { filter: DeliveryFilter; groups: EventGroupChoice[] };

/** Narrows the deliveries of an endpoint; the address keeps it. */
export function DeliveryFilters({ filter, groups }: DeliveryFiltersProps) {
  const router = useRouter();
  const pathname = usePathname();
  const [pending, startTransition] = useTransition();
  const [shown, setShown] = useState(false);
  const count = Object.keys(filter).length;

  function change(part: { [Name in keyof DeliveryFilter]: DeliveryFilter[Name] | undefined }): void {
    const address = `${pathname}${queryString({ ...filter, ...part })}`;
    startTransition(() => router.replace(address, { scroll: false }));
  }

  return (
    <search aria-label="Deliveries" className="flex flex-col gap-2" aria-busy={pending}>
      <div className="flex items-center gap-2 sm:hidden">
        <Button variant="outline" size="sm" aria-expanded={shown} onClick={() => setShown(!shown)}>
          <ListFilter aria-hidden="true" />
          Filters{count > 0 && ` (${count})`}
        </Button>
      </div>
      <div className={cn("flex flex-wrap items-center gap-2", !shown && "max-sm:hidden")}>
        <FilterSelect
          name="Status"
          all="All statuses"
          value={filter.status}
          options={STATUSES}
          onChange={(status) => change({ status })}
        />
        <TypeFilter
          groups={groups}
          chosen={filter.types?.split(",") ?? []}
          onChange={(types) => change({ types: types.join(",") })}
        />
        <FilterSelect
          name="Last answer"
          all="Any answer"
          value={filter.response}
          options={RESPONSES}
          onChange={(response) => change({ response })}
        />
        <SubjectFilter filter={filter} onChange={change} />
        {count > 0 && (
          <Button
            variant="ghost"
            size="sm"
            onClick={() => startTransition(() => router.replace(pathname, { scroll: false }))}
          >
            <X aria-hidden="true" />
            Clear
          </Button>
        )}
        {pending && <Spinner />}
        <TimeRange key={`${filter.from} ${filter.to}`} from={filter.from} to={filter.to} onChange={change} />
      </div>
    </search>
  );
}
