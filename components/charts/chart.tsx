"use client";

import { type PointerEvent, useState } from "react";
import { ChartLegend, SeriesMark } from "@/components/charts/chart-legend";
import { axisTicks, axisTop, labelIndexes } from "@/components/charts/chart-scale";
import type { ChartPoint, ChartSeries } from "@/components/charts/chart-types";
import { cn } from "@/lib/cn";

type ChartProps = {
  series: readonly ChartSeries[];
  /** Oldest first, with a value per series in the same order. */
  points: readonly ChartPoint[];
  /** `bars` are stacked. Lines have gaps where a value is null. */
  type?: "bars" | "lines";
  /** Values on the axis and in the tooltip. */
  format?: (value: number) => string;
  /** The end of the axis, if it is fixed. */
  top?: number;
  /** The height of the plot. */
  className?: string;
};

const MAX_LABELS = 5;

/**
 * A chart over time, complete in the server's HTML. The second series has outlined bars or a dashed line, so that color is
 * not the only difference. Hidden from screen readers: show the same values as a table beside it. The SVG is stretched to the width of its container, so all text is HTML.
 */
export function Chart({ series, points, type = "bars", format = plain, top, className }: ChartProps) {
  const [active, setActive] = useState<number | null>(null);
  const end = top ?? axisTop(Math.max(0, ...points.map((point) => heightOf(point, type))));
  const count = Math.max(points.length, 1);

  function follow(event: PointerEvent<HTMLDivElement>): void {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const index = Math.floor(((event.clientX - left) / width) * points.length);
    setActive(index >= 0 && index < points.length ? index : null);
  }

  return (
    <div aria-hidden="true" className="flex min-w-0 flex-col gap-3">
      {series.length > 1 && <ChartLegend series={series} />}
      <div className="grid min-w-0 grid-cols-[auto_minmax(0,1fr)] gap-x-2 gap-y-1.5 text-muted-foreground text-xs tabular-nums">
        <Ticks end={end} format={format} />
        <div
          className={cn("relative min-w-0 touch-pan-y", className ?? "h-40")}
          onPointerMove={follow}
          onPointerDown={follow}
          onPointerLeave={() => setActive(null)}
        >
          <svg
            aria-hidden="true"
            viewBox={`0 0 ${count} 100`}
            preserveAspectRatio="none"
            className="absolute inset-0 size-full"
          >
            {axisTicks(end).map((tick) => (
              <line
                key={tick}
                x1={0}
                x2={count}
                y1={100 - (tick / end) * 100}
                y2={100 - (tick / end) * 100}
                className="stroke-border"
                vectorEffect="non-scaling-stroke"
              />
            ))}
            {active !== null && <rect x={active} y={0} width={1} height={100} className="fill-muted" />}
            {type === "bars" ? (
              <Bars series={series} points={points} end={end} />
            ) : (
              <Lines series={series} points={points} end={end} />
            )}
          </svg>
          <ActivePoint series={series} points={points} index={active} format={format} />
        </div>
        <Labels points={points} />
      </div>
    </div>
  );
}

type MarksProps = Pick<ChartProps, "series" | "points"> & { end: number };

function Bars({ series, points, end }: MarksProps) {
  return points.map((point, index) => {
    let foot = 100;
    return series.map(({ key, color }, at) => {
      const height = ((point.values[at] ?? 0) / end) * 100;
      foot -= height;
      return height === 0 ? null : (
        <rect
          key={`${point.key} ${key}`}
          x={index + 0.14}
          y={foot}
          width={0.72}
          height={height}
          {...(at === 0
            ? { style: { fill: color } }
            : {
                style: { fill: color, fillOpacity: 0.4, stroke: color },
                vectorEffect: "non-scaling-stroke",
              })}
        />
      );
    });
  });
}

function Lines({ series, points, end }: MarksProps) {
  return series.map(({ key, color }, at) => (
    <path
      key={key}
      d={linePath(
        points.map((point) => point.values[at] ?? null),
        end,
      )}
      fill="none"
      style={{ stroke: color }}
      strokeWidth={2}
      strokeDasharray={at === 0 ? undefined : "5 4"}
      strokeLinejoin="round"
      strokeLinecap="round"
      vectorEffect="non-scaling-stroke"
    />
  ));
}

/** A value between two gaps is drawn as a short dash. */
function linePath(values: readonly (number | null)[], end: number): string {
  const y = (value: number) => (100 - (value / end) * 100).toFixed(2);
  return values
    .map((value, index) => {
      if (value === null) return "";
      const before = values[index - 1] ?? null;
      const isAlone = before === null && (values[index + 1] ?? null) === null;
      if (isAlone) return `M${index + 0.25} ${y(value)}H${index + 0.75}`;
      return `${before === null ? "M" : "L"}${index + 0.5} ${y(value)}`;
    })
    .join("");
}

function Ticks({ end, format }: { end: number; format: (value: number) => string }) {
  const ticks = axisTicks(end);
  return (
    <div className="flex min-w-7 flex-col items-end justify-between leading-none">
      {ticks.map((tick) => (
        <span key={tick} className="-my-1.5 flex h-3 items-center">
          {format(tick)}
        </span>
      ))}
    </div>
  );
}

function Labels({ points }: { points: readonly ChartPoint[] }) {
  return (
    <div className="relative col-start-2 h-4 overflow-hidden">
      {labelIndexes(points.length, MAX_LABELS).map((index) => (
        <span
          key={index}
          className="absolute top-0 whitespace-nowrap"
          style={{ left: `${(index / points.length) * 100}%` }}
        >
          {points[index]?.label}
        </span>
      ))}
    </div>
  );
}

type ActivePointProps = Pick<ChartProps, "series" | "points"> & {
  index: number | null;
  format: (value: number) => string;
};

function ActivePoint({ series, points, index, format }: ActivePointProps) {
  const point = index === null ? undefined : points[index];
  if (index === null || point === undefined) return null;
  const isRight = index >= points.length / 2;
  const edge = `${((isRight ? points.length - index : index + 1) / points.length) * 100}%`;
  return (
    <div
      className="pointer-events-none absolute top-0 z-20 mx-1.5 flex min-w-36 flex-col gap-1 rounded-lg border bg-popover px-3 py-2 text-popover-foreground shadow-lg"
      style={isRight ? { right: edge } : { left: edge }}
    >
      <p className="whitespace-nowrap font-medium">{point.title}</p>
      {series.map(({ key, label, color }, at) => {
        const value = point.values[at] ?? null;
        return (
          <p key={key} className="flex items-center gap-2 whitespace-nowrap">
            <SeriesMark color={color} index={at} />
            <span className="text-muted-foreground">{label}</span>
            <span className="ml-auto pl-4">{value === null ? "none" : format(value)}</span>
          </p>
        );
      })}
      {point.notes?.map(({ label, value }) => (
        <p key={label} className="flex items-center gap-2 whitespace-nowrap">
          <span className="size-2" />
          <span className="text-muted-foreground">{label}</span>
          <span className="ml-auto pl-4">{value}</span>
        </p>
      ))}
    </div>
  );
}

function heightOf({ values }: ChartPoint, type: "bars" | "lines"): number {
  const known = values.map((value) => value ?? 0);
  return type === "bars" ? known.reduce((sum, value) => sum + value, 0) : Math.max(0, ...known);
}

function plain(value: number): string {
  return value.toLocaleString("en");
}
