"use client";

import { LazySelect } from "@/components/data/fields/lazy-select";

const SPEEDS = [1, 5, 10, 25, 50, 100, 250, 500, 1000];

type ReplaySpeedSelectProps = {
  value: number;
  disabled?: boolean;
  onChange: (perSecond: number) => void;
};

/** Selects the maximum number of events per second of a replay. */
export function ReplaySpeedSelect({ value, disabled, onChange }: ReplaySpeedSelectProps) {
  const speeds = SPEEDS.includes(value) ? SPEEDS : [...SPEEDS, value].sort((left, right) => left - right);
  return (
    <LazySelect
      label="Speed"
      size="sm"
      className="tabular-nums"
      value={String(value)}
      options={speeds.map((speed) => ({
        value: String(speed),
        label: `${speed.toLocaleString("en")} per second`,
      }))}
      disabled={disabled}
      onChange={(chosen) => onChange(Number(chosen))}
    />
  );
}
