"use client";

import { Chart } from "@/components/charts/chart";
import { colorOf } from "@/components/charts/meaning-colors";
import { useNow } from "@/components/data/time/clock";
import { formatClock, formatDate, formatMoment } from "@/components/data/time/format-time";
import type { EndpointStats } from "@/lib/webhooks/endpoints/get-endpoint-stats";

const SERIES = [
  { key: "succeeded", label: "Succeeded", color: colorOf("delivered") },
  { key: "failed", label: "Failed", color: colorOf("failed") },
];

/** Attempts over time: failed attempts stacked on successful ones, and the same data as a table for screen readers. */
export function AttemptsChart({ stats }: { stats: EndpointStats }) {
  const nameOf = useBucketName(stats.period);
  const points = stats.buckets.map((bucket) => ({
    key: bucket.at,
    label: nameOf(bucket.at),
    title: nameOf(bucket.at),
    values: [bucket.succeeded, bucket.failed],
    notes: [
      { label: "UTC", value: formatMoment(Date.parse(bucket.at), "UTC") },
      { label: "Median", value: latencyText(bucket.p50_ms) },
      { label: "95th percentile", value: latencyText(bucket.p95_ms) },
    ],
  }));
  return (
    <figure aria-label="Attempts over time" className="relative flex min-w-0 flex-col gap-3">
      <Chart series={SERIES} points={points} className="h-44" />
      <SpokenTable stats={stats} nameOf={nameOf} />
    </figure>
  );
}

function SpokenTable({ stats, nameOf }: { stats: EndpointStats; nameOf: (at: string) => string }) {
  const busy = stats.buckets.filter(({ succeeded, failed }) => succeeded + failed > 0);
  return (
    <div className="sr-only">
      <table>
        <caption>Attempts over time. Periods without attempts are left out.</caption>
        <thead>
          <tr>
            {["From", "Succeeded", "Failed", "Median latency", "95th percentile"].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {busy.map((bucket) => (
            <tr key={bucket.at}>
              <th scope="row">{nameOf(bucket.at)}</th>
              <td>{bucket.succeeded}</td>
              <td>{bucket.failed}</td>
              <td>{latencyText(bucket.p50_ms)}</td>
              <td>{latencyText(bucket.p95_ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function latencyText(ms: number | null): string {
  return ms === null ? "none" : `${Math.round(ms)} ms`;
}

/** The hour of a bucket; with its day when the period is a week. */
function useBucketName(period: EndpointStats["period"]): (at: string) => string {
  const { hydrated } = useNow();
  const timeZone = hydrated ? undefined : "UTC";
  return (at) => {
    const ms = Date.parse(at);
    const clock = formatClock(ms, timeZone);
    return period === "24h" ? clock : `${formatDate(ms, timeZone).replace(/ \d{4}$/, "")}, ${clock}`;
  };
}
