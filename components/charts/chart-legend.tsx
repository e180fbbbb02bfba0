import type { ChartSeries } from "@/components/charts/chart-types";

/** The names and colors of a chart's series. */
export function ChartLegend({ series }: { series: readonly ChartSeries[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
      {series.map(({ key, label, color }) => (
        <li key={key} className="flex items-center gap-1.5 text-muted-foreground">
          <span aria-hidden="true" className="size-2 rounded-xs" style={{ backgroundColor: color }} />
          {label}
        </li>
      ))}
    </ul>
  );
}
