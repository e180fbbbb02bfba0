"use client";

import { Bar, BarChart, CartesianGrid, XAxis, YAxis } from "recharts";
import {
  type ChartConfig,
  ChartContainer,
  ChartLegend,
  ChartTooltip,
  ChartTooltipContent,
} from "@/components/ui/chart";
import type { LineDetails } from "@/lib/lines/lines/get-line-details";

type Day = LineDetails["days"][number];

type DayChartProps = {
  /** The metric, also announced by screen readers. */
  label: string;
  days: Day[];
  series: ChartConfig;
  countOf: Record<string, (day: Day) => number>;
};

/** A stacked bar chart of counts by day in UTC, with a table of the same data for screen readers. */
export function DayChart({ label, days, series, countOf }: DayChartProps) {
  const keys = Object.keys(series);
  const rows = days.map((day) => ({
    date: day.date,
    ...Object.fromEntries(keys.map((key) => [key, countOf[key]?.(day) ?? 0])),
  }));
  return (
    <figure aria-label={label} className="flex min-w-0 flex-col gap-3">
      <ChartLegend config={series} />
      <ChartContainer config={series} className="h-44" aria-hidden="true">
        <BarChart data={rows} margin={{ left: 0, right: 4, top: 4 }} accessibilityLayer={false}>
          <CartesianGrid vertical={false} />
          <XAxis
            dataKey="date"
            tickFormatter={shortDate}
            tickLine={false}
            axisLine={false}
            tickMargin={8}
            minTickGap={32}
          />
          <YAxis allowDecimals={false} tickLine={false} axisLine={false} width={36} />
          <ChartTooltip
            isAnimationActive={false}
            content={({ active, payload }) => {
              const row: Record<string, string | number> | undefined = payload?.[0]?.payload;
              if (!active || row === undefined) return null;
              const shown = keys.map((key) => ({
                key,
                label: series[key]?.label ?? key,
                value: Number(row[key]).toLocaleString("en"),
              }));
              return <ChartTooltipContent title={shortDate(String(row.date))} rows={shown} />;
            }}
          />
          {keys.map((key) => (
            <Bar
              key={key}
              dataKey={key}
              stackId="day"
              fill={`var(--color-${key})`}
              isAnimationActive={false}
            />
          ))}
        </BarChart>
      </ChartContainer>
      <SpokenDays label={label} days={days} series={series} countOf={countOf} />
    </figure>
  );
}

function SpokenDays({ label, days, series, countOf }: DayChartProps) {
  const keys = Object.keys(series);
  const busy = days.filter((day) => keys.some((key) => (countOf[key]?.(day) ?? 0) > 0));
  return (
    <div className="sr-only">
      <table>
        <caption>{label}; days with a count of zero are omitted</caption>
        <thead>
          <tr>
            {["Day", ...keys.map((key) => series[key]?.label)].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {busy.map((day) => (
            <tr key={day.date}>
              <th scope="row">{shortDate(day.date)}</th>
              {keys.map((key) => (
                <td key={key}>{countOf[key]?.(day)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function shortDate(date: string): string {
  const format = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
  return format.format(Date.parse(date));
}
