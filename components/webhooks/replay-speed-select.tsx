"use client";

import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";

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
    <Select value={String(value)} disabled={disabled} onValueChange={(chosen) => onChange(Number(chosen))}>
      <SelectTrigger size="sm" aria-label="Speed" className="tabular-nums">
        <SelectValue />
      </SelectTrigger>
      <SelectContent>
        {speeds.map((speed) => (
          <SelectItem key={speed} value={String(speed)}>
            {speed.toLocaleString("en")} per second
          </SelectItem>
        ))}
      </SelectContent>
    </Select>
  );
}
