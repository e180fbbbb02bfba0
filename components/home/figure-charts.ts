import type { ChartSeries } from "@/components/charts/chart-types";
import { colorOf } from "@/components/charts/meaning-colors";
import {
  deliveryRate,
  formatChange,
  formatDuration,
  formatPoints,
  formatShare,
} from "@/components/home/format-figures";
import type { HomeFigures } from "@/lib/runtime/dashboard/home-figures";

export interface FigureChart {
  id: string;
  title: string;
  /** The figure of the whole range. */
  figure: (total: HomeFigures) => string;
  /** A second figure beside it. */
  detail?: (total: HomeFigures) => string;
  /** How the figure differs from that of the range before; null when that can't be said. */
  change: (total: HomeFigures, before: HomeFigures) => string | null;
  /** Times of lines are too coarse for a change. */
  isLineChangeHidden?: boolean;
  type: "bars" | "lines";
  series: readonly (ChartSeries & { read: (period: HomeFigures) => number | null })[];
  format: (value: number | null) => string;
  top?: number;
  /** Lines don't have the figure. */
  isAccountOnly?: boolean;
}

/** The charts of Home, in order. */
export const FIGURE_CHARTS: readonly FigureChart[] = [
  {
    id: "sent",
    title: "Messages sent",
    figure: ({ sent }) => count(sent),
    detail: ({ failed }) => `${count(failed)} failed`,
    change: (total, before) => formatChange(total.sent, before.sent),
    type: "bars",
    series: [
      { key: "sent", label: "Sent", color: colorOf("sent"), read: ({ sent }) => sent },
      { key: "failed", label: "Failed", color: colorOf("failed"), read: ({ failed }) => failed },
    ],
    format: count,
  },
  {
    id: "replies",
    title: "Messages received",
    figure: ({ received }) => count(received),
    change: (total, before) => formatChange(total.received, before.received),
    type: "bars",
    series: [
      { key: "received", label: "Received", color: colorOf("received"), read: ({ received }) => received },
    ],
    format: count,
  },
  {
    id: "delivery-rate",
    title: "Delivery rate",
    figure: (total) => formatShare(deliveryRate(total)),
    detail: ({ delivered }) => `${count(delivered)} delivered`,
    change: (total, before) => formatPoints(deliveryRate(total), deliveryRate(before)),
    type: "lines",
    series: [{ key: "rate", label: "Delivered", color: colorOf("delivered"), read: deliveryRate }],
    format: formatShare,
    top: 1,
  },
  {
    id: "time-to-delivered",
    title: "Time to delivered",
    figure: ({ delivery_p50_ms: median }) => formatDuration(median),
    detail: ({ delivery_p95_ms: p95 }) => `95th percentile ${formatDuration(p95)}`,
    change: (total, before) => formatChange(total.delivery_p50_ms, before.delivery_p50_ms),
    isLineChangeHidden: true,
    type: "lines",
    series: [
      { key: "p50", label: "Median", color: colorOf("delivered"), read: (period) => period.delivery_p50_ms },
      {
        key: "p95",
        label: "95th percentile",
        color: colorOf("other"),
        read: (period) => period.delivery_p95_ms,
      },
    ],
    format: formatDuration,
  },
  {
    id: "opt-outs",
    title: "Opt-outs",
    figure: (total) => count(total.opted_out),
    change: (total, before) => formatChange(total.opted_out, before.opted_out),
    type: "bars",
    series: [
      {
        key: "opted_out",
        label: "Opted out",
        color: colorOf("other"),
        read: (period) => period.opted_out,
      },
    ],
    format: count,
  },
  {
    id: "payments",
    title: "Payments",
    isAccountOnly: true,
    figure: (total) => count(total.payments_succeeded),
    detail: (total) => `${count(total.payments_declined)} declined`,
    change: (total, before) => formatChange(total.payments_succeeded, before.payments_succeeded),
    type: "bars",
    series: [
      {
        key: "succeeded",
        label: "Succeeded",
        color: colorOf("delivered"),
        read: (period) => period.payments_succeeded,
      },
      {
        key: "declined",
        label: "Declined",
        color: colorOf("failed"),
        read: (period) => period.payments_declined,
      },
    ],
    format: count,
  },
];

function count(value: number | null): string {
  return (value ?? 0).toLocaleString("en");
}
