"use client";

import { Bar, BarChart, CartesianGrid, XAxis, YAxis } from "recharts";
import { useNow } from "@/components/data/clock";
import { formatClock, formatDate } from "@/components/data/format-time";
import {
  type ChartConfig,
  ChartContainer,
  ChartLegend,
  ChartTooltip,
  ChartTooltipContent,
} from "@/components/ui/chart";
import type { EndpointStats } from "@/lib/webhooks/get-endpoint-stats";

const SERIES = {
  succeeded: { label: "Succeeded", color: "var(--success)" },
  failed: { label: "Failed", color: "var(--destructive-text)" },
} satisfies ChartConfig;

type Bucket = EndpointStats["buckets"][number];

/** Attempts over time: failed attempts stacked on successful ones, and the same data as a table for screen readers. */
export function AttemptsChart({ stats }: { stats: EndpointStats }) {
  const nameOf = useBucketName(stats.period);
  return (
    <figure aria-label="Attempts over time" className="flex min-w-0 flex-col gap-3">
      <ChartLegend config={SERIES} />
      <ChartContainer config={SERIES} className="h-52" aria-hidden="true">
        <BarChart data={stats.buckets} margin={{ left: 0, right: 4, top: 4 }} accessibilityLayer={false}>
          <CartesianGrid vertical={false} />
          <XAxis
            dataKey="at"
            tickFormatter={nameOf}
            tickLine={false}
            axisLine={false}
            tickMargin={8}
            minTickGap={36}
          />
          <YAxis allowDecimals={false} tickLine={false} axisLine={false} width={36} />
          <ChartTooltip
            isAnimationActive={false}
            content={({ active, payload }) => {
              const bucket: Bucket | undefined = payload?.[0]?.payload;
              return active && bucket ? (
                <ChartTooltipContent title={nameOf(bucket.at)} rows={rowsOf(bucket)} />
              ) : null;
            }}
          />
          <Bar
            dataKey="succeeded"
            stackId="attempts"
            fill="var(--color-succeeded)"
            isAnimationActive={false}
          />
          <Bar
            dataKey="failed"
            stackId="attempts"
            fill="var(--color-failed)"
            isAnimationActive={false}
            radius={[2, 2, 0, 0]}
          />
        </BarChart>
      </ChartContainer>
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

function rowsOf(bucket: Bucket) {
  return [
    ...Object.entries(SERIES).map(([key, { label }]) => ({
      key,
      label,
      value: String(key === "failed" ? bucket.failed : bucket.succeeded),
    })),
    { key: "p50", label: "Median", value: latencyText(bucket.p50_ms) },
    { key: "p95", label: "95th percentile", value: latencyText(bucket.p95_ms) },
  ];
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
