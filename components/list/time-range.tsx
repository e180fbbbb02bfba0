"use client";

import { useId } from "react";
import { useFieldText } from "@/components/data/fields/use-field-text";
import { Input } from "@/components/ui/input";
import { Label } from "@/components/ui/label";

type Range = { from?: string | undefined; to?: string | undefined };

type TimeRangeProps = Range & { onChange: (range: Range) => void };

/** A range of times in UTC. */
export function TimeRange({ from, to, onChange }: TimeRangeProps) {
  return (
    <div className="flex min-w-0 flex-wrap gap-x-4 gap-y-2 max-sm:w-full">
      <Moment name="From (UTC)" value={from} onChange={(value) => onChange({ from: value })} />
      <Moment name="To (UTC)" value={to} onChange={(value) => onChange({ to: value })} />
    </div>
  );
}

type MomentProps = { name: string; value: string | undefined; onChange: (value: string | undefined) => void };

function Moment({ name, value, onChange }: MomentProps) {
  const id = useId();
  const chosen = value?.slice(0, 16) ?? "";
  const [text, setText] = useFieldText(chosen);
  return (
    <div className="flex min-w-0 items-center gap-2 max-sm:w-full">
      <Label htmlFor={id} className="whitespace-nowrap text-muted-foreground text-xs">
        {name}
      </Label>
      <Input
        id={id}
        type="datetime-local"
        className="h-7.5 w-auto max-sm:min-w-0 max-sm:flex-1 max-sm:px-2"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => text !== chosen && onChange(text === "" ? undefined : `${text}Z`)}
      />
    </div>
  );
}
