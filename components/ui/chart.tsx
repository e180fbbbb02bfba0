"use client";

import type { ComponentProps, ReactElement } from "react";
import { ResponsiveContainer, Tooltip } from "recharts";
import { cn } from "@/lib/cn";

/** A chart's series by key, with a name and a color from globals.css. */
export type ChartConfig = Record<string, { label: string; color: string }>;

type ChartContainerProps = ComponentProps<"div"> & { config: ChartConfig; children: ReactElement };

/** The container of a chart: its size, and its colors as `var(--color-<key>)` in both themes. */
function ChartContainer({ config, className, style, children, ...props }: ChartContainerProps) {
  const colors = Object.fromEntries(
    Object.entries(config).map(([key, { color }]) => [`--color-${key}`, color]),
  );
  return (
    <div
      data-slot="chart"
      className={cn(
        "min-w-0 overflow-x-clip text-xs [&_.recharts-cartesian-axis-tick_text]:fill-muted-foreground [&_.recharts-cartesian-axis-tick_text]:tabular-nums [&_.recharts-cartesian-grid_line]:stroke-border [&_.recharts-rectangle.recharts-tooltip-cursor]:fill-muted [&_.recharts-surface]:outline-hidden",
        className,
      )}
      style={{ ...colors, ...style }}
      {...props}
    >
      <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 640, height: 200 }}>
        {children}
      </ResponsiveContainer>
    </div>
  );
}

const ChartTooltip = Tooltip;

type ChartTooltipContentProps = {
  title: string;
  rows: { key: string; label: string; value: string }[];
};

/** The tooltip of a chart: a title and the values of the series. */
function ChartTooltipContent({ title, rows }: ChartTooltipContentProps) {
  return (
    <div className="flex min-w-36 flex-col gap-1 rounded-lg border bg-popover px-3 py-2 text-popover-foreground text-xs shadow-lg">
      <p className="font-medium tabular-nums">{title}</p>
      {rows.map(({ key, label, value }) => (
        <p key={key} className="flex items-center gap-2">
          <span
            aria-hidden="true"
            className="size-2 rounded-xs"
            style={{ backgroundColor: `var(--color-${key})` }}
          />
          <span className="text-muted-foreground">{label}</span>
          <span className="ml-auto pl-4 tabular-nums">{value}</span>
        </p>
      ))}
    </div>
  );
}

/** The legend of a chart. */
function ChartLegend({ config }: { config: ChartConfig }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
      {Object.entries(config).map(([key, { label, color }]) => (
        <li key={key} className="flex items-center gap-1.5 text-muted-foreground">
          <span aria-hidden="true" className="size-2 rounded-xs" style={{ backgroundColor: color }} />
          {label}
        </li>
      ))}
    </ul>
  );
}

export { ChartContainer, ChartLegend, ChartTooltip, ChartTooltipContent };
