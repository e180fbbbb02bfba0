export type ChartSeries = {
  key: string;
  label: string;
  /** A CSS color, usually a variable of globals.css. */
  color: string;
};

export type ChartPoint = {
  key: string;
  /** The short label on the axis. */
  label: string;
  /** The title of the tooltip. */
  title: string;
  /** A value per series; null = unknown. */
  values: readonly (number | null)[];
  /** Further lines of the tooltip. */
  notes?: readonly { label: string; value: string }[];
};
