import type { ChartSeries } from "@/components/charts/chart-types";

/** The names, colors and marks of a chart's series. */
export function ChartLegend({ series }: { series: readonly ChartSeries[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
      {series.map(({ key, label, color }, index) => (
        <li key={key} className="flex items-center gap-1.5 text-muted-foreground">
          <SeriesMark color={color} index={index} />
          {label}
        </li>
      ))}
    </ul>
  );
}

/** The color of a series: filled for the first one, outlined for the others, as in the chart. */
export function SeriesMark({ color, index }: { color: string; index: number }) {
  const fill = index === 0 ? color : `color-mix(in oklab, ${color} 40%, transparent)`;
  return (
    <span
      aria-hidden="true"
      className="size-2 shrink-0 rounded-xs"
      style={{ backgroundColor: fill, boxShadow: `inset 0 0 0 1px ${color}` }}
    />
  );
}
