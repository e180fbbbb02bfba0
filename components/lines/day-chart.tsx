import { Chart } from "@/components/charts/chart";
import type { ChartSeries } from "@/components/charts/chart-types";
import type { LineDetails } from "@/lib/lines/overview/get-line-view";

type Day = LineDetails["days"][number];

type DayChartProps = {
  /** The metric, also announced by screen readers. */
  label: string;
  days: Day[];
  series: readonly ChartSeries[];
  countOf: Record<string, (day: Day) => number>;
};

/** A stacked bar chart of counts by day in UTC, with a table of the same data for screen readers. */
export function DayChart({ label, days, series, countOf }: DayChartProps) {
  const points = days.map((day) => ({
    key: day.date,
    label: shortDate(day.date),
    title: shortDate(day.date),
    values: series.map(({ key }) => countOf[key]?.(day) ?? 0),
  }));
  return (
    <figure aria-label={label} className="relative flex min-w-0 flex-col gap-3">
      <Chart series={series} points={points} />
      <SpokenDays label={label} days={days} series={series} countOf={countOf} />
    </figure>
  );
}

function SpokenDays({ label, days, series, countOf }: DayChartProps) {
  const busy = days.filter((day) => series.some(({ key }) => (countOf[key]?.(day) ?? 0) > 0));
  return (
    <div className="sr-only">
      <table>
        <caption>{label}; days with a count of zero are omitted</caption>
        <thead>
          <tr>
            {["Day", ...series.map((one) => one.label)].map((head) => (
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
              {series.map(({ key }) => (
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
