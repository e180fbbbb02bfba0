import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { Chart } from "@/components/charts/chart";
import { ScrollRegion } from "@/components/data/scroll-region";
import type { FigureChart } from "@/components/home/figure-charts";
import { periodNames, utcName } from "@/components/home/period-names";
import { RANGE_NAMES } from "@/components/home/range-names";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import type { Home } from "@/lib/runtime/dashboard/get-home";

type FigureCardProps = { chart: FigureChart; home: Home };

/** One figure of the range, its chart, and the chart's values as a table. */
export function FigureCard({ chart, home }: FigureCardProps) {
  const [isOpen, setOpen] = useState(false);
  const { id, title, figure, detail, change, isLineChangeHidden, type, series, format, top } = chart;
  const points = home.periods.map((period) => ({
    key: period.at,
    ...periodNames(home, period.at),
    ...(home.zone !== "UTC" && { notes: [{ label: "UTC", value: utcName(period.at) }] }),
    values: series.map(({ read }) => read(period)),
  }));
  const isCompared = home.line_id === undefined || isLineChangeHidden !== true;
  const changed = isCompared && home.before ? change(home.total, home.before) : null;
  return (
    <section
      aria-labelledby={`figure-${id}`}
      className="relative flex min-w-0 flex-col gap-3 rounded-xl border bg-card p-4 shadow-xs"
    >
      <div className="flex flex-col gap-1">
        <h3 id={`figure-${id}`} className="text-muted-foreground text-xs">
          {title}
        </h3>
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="font-semibold text-2xl tabular-nums tracking-tight">{figure(home.total)}</span>
          {detail && <span className="text-muted-foreground text-xs tabular-nums">{detail(home.total)}</span>}
          {changed && (
            <span className="text-muted-foreground text-xs tabular-nums">
              {changed} on the {RANGE_NAMES[home.range]} before
            </span>
          )}
        </p>
      </div>
      <Chart
        series={series}
        points={points}
        type={type}
        className="h-24"
        format={format}
        {...(top !== undefined && { top })}
      />
      <details className="group" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="flex w-fit cursor-pointer list-none items-center gap-1 rounded-sm py-1 text-muted-foreground text-xs hover:text-foreground [&::-webkit-details-marker]:hidden">
          <ChevronDown
            aria-hidden="true"
            className="size-3.5 transition-transform group-open:rotate-180 motion-reduce:transition-none"
          />
          Table<span className="sr-only"> of {title}</span>
        </summary>
        {isOpen && (
          <ScrollRegion label={`${title}, table`} className="mt-2 max-h-64 overflow-auto rounded-lg border">
            <Table aria-label={title}>
              <TableHeader>
                <TableRow>
                  <TableHead scope="col">From</TableHead>
                  {series.map(({ key, label }) => (
                    <TableHead key={key} scope="col" className="text-right">
                      {label}
                    </TableHead>
                  ))}
                </TableRow>
              </TableHeader>
              <TableBody>
                {points.toReversed().map((point) => (
                  <TableRow key={point.key}>
                    <TableCell title={utcName(point.key)}>{point.title}</TableCell>
                    {series.map(({ key }, at) => (
                      <TableCell key={key} className="text-right tabular-nums">
                        {format(point.values[at] ?? null)}
                      </TableCell>
                    ))}
                  </TableRow>
                ))}
              </TableBody>
            </Table>
          </ScrollRegion>
        )}
      </details>
    </section>
  );
}
