"use client";

import { useQuery } from "@tanstack/react-query";
import { ChartColumn } from "lucide-react";
import Link from "next/link";
import { EmptyState } from "@/components/data/empty-state";
import { ErrorNote } from "@/components/data/error-note";
import { formatLatency } from "@/components/requests/format-latency";
import { AttemptsChart } from "@/components/webhooks/deliveries/attempts-chart";
import { FailureReasons } from "@/components/webhooks/deliveries/failure-reasons";
import { webhookKey } from "@/components/webhooks/webhooks-key";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { cn } from "@/lib/cn";
import type { EndpointStats } from "@/lib/webhooks/endpoints/get-endpoint-stats";

const LOOK_MS = 10_000;
const PERIODS = [
  { period: "24h", label: "Last 24 hours" },
  { period: "7d", label: "Last 7 days" },
] as const;

/** An endpoint's statistics: attempts over time, latency and failure reasons. */
export function EndpointStatistics({ id, initial }: { id: string; initial: EndpointStats }) {
  const { period } = initial;
  const { data, error, refetch } = useQuery<EndpointStats, ApiFailure>({
    queryKey: [...webhookKey(id), "stats", period],
    queryFn: ({ signal }) => apiFetch(`/api/webhooks/${id}/stats?period=${period}`, { signal }),
    initialData: initial,
    refetchInterval: LOOK_MS,
  });
  const attempts = data.total.succeeded + data.total.failed;

  return (
    <section aria-label="Statistics" className="flex min-w-0 flex-col gap-5">
      <PeriodChoice id={id} current={period} />
      {error && (
        <ErrorNote
          title="The figures may be out of date"
          code={error.code}
          traceId={error.traceId}
          onRetry={() => void refetch()}
        >
          {error.message}
        </ErrorNote>
      )}
      <Figures stats={data} />
      <div className="min-w-0 rounded-xl border bg-card p-4 shadow-xs">
        {attempts === 0 ? (
          <EmptyState
            icon={ChartColumn}
            title="No attempts in this period"
            description="Attempts appear here when Trunkline delivers events to this endpoint. Test events are not counted. Select a longer period to see older attempts."
          />
        ) : (
          <AttemptsChart stats={data} />
        )}
      </div>
      <FailureReasons id={id} failures={data.failures} />
    </section>
  );
}

function PeriodChoice({ id, current }: { id: string; current: EndpointStats["period"] }) {
  return (
    <nav aria-label="Period" className="flex w-fit gap-0.5 rounded-lg bg-secondary p-0.75">
      {PERIODS.map(({ period, label }) => (
        <Link
          key={period}
          href={`/webhooks/${id}/statistics?period=${period}`}
          replace
          scroll={false}
          aria-current={period === current ? "true" : undefined}
          className={cn(
            "flex h-7 items-center rounded-md px-2.5 font-medium text-[0.8125rem] text-muted-foreground hover:text-foreground pointer-coarse:h-9",
            period === current && "bg-card text-foreground shadow-xs",
          )}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}

function Figures({ stats: { total, waiting } }: { stats: EndpointStats }) {
  const attempts = total.succeeded + total.failed;
  const figures = [
    { label: "Attempts", value: attempts.toLocaleString("en") },
    { label: "Succeeded", value: attempts === 0 ? "–" : shareText(total.succeeded / attempts) },
    { label: "Median latency", value: total.p50_ms === null ? "–" : formatLatency(total.p50_ms) },
    { label: "95th percentile", value: total.p95_ms === null ? "–" : formatLatency(total.p95_ms) },
    { label: "Pending", value: waiting >= 1000 ? "1,000 or more" : String(waiting) },
  ];
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-xl border bg-border shadow-xs sm:grid-cols-5">
      {figures.map(({ label, value }) => (
        <div key={label} className="flex flex-col gap-0.5 bg-card px-4 py-3 last:max-sm:col-span-2">
          <dt className="text-muted-foreground text-xs">{label}</dt>
          <dd className="font-semibold text-lg tabular-nums tracking-tight">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

// Never round up to 100%: 99.96% means that some attempts failed.
function shareText(share: number): string {
  return `${share === 1 ? 100 : Math.min(99.9, Math.round(share * 1000) / 10)}%`;
}
