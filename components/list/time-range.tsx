"use client";

import { type KeyboardEvent, useId, useState } from "react";
import { useFieldText } from "@/components/data/fields/use-field-text";
import { useNow } from "@/components/data/time/clock";
import { formatMoment } from "@/components/data/time/format-time";
import { NOT_A_TIME, readMoment } from "@/components/data/time/read-moment";
import { Input } from "@/components/ui/input";
import { Label } from "@/components/ui/label";
import { momentText } from "@/lib/client/moment-text";

type Range = { from?: string | undefined; to?: string | undefined };

type TimeRangeProps = Range & { onChange: (range: Range) => void };

/** A range of times, in words or pasted, in the reader's time zone. */
export function TimeRange({ from, to, onChange }: TimeRangeProps) {
  return (
    <div className="flex min-w-0 flex-wrap gap-x-4 gap-y-2 max-sm:w-full">
      <Moment
        name="From"
        placeholder="yesterday 2pm"
        value={from}
        onChange={(value) => onChange({ from: value })}
      />
      <Moment name="To" placeholder="now" value={to} onChange={(value) => onChange({ to: value })} />
    </div>
  );
}

type MomentProps = {
  name: string;
  placeholder: string;
  /** RFC 3339. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
};

function Moment({ name, placeholder, value, onChange }: MomentProps) {
  const id = useId();
  const { hydrated } = useNow();
  const ms = value === undefined ? Number.NaN : Date.parse(value);
  const chosen = Number.isNaN(ms) ? "" : momentText(ms, hydrated ? undefined : "UTC");
  const [text, setText] = useFieldText(chosen);
  const [unread, setUnread] = useState<string | null>(null);
  const isUnread = unread !== null && unread === text;

  function apply(): void {
    if (text === chosen) return;
    const moment = readMoment(text, new Date());
    setUnread(moment === null && text.trim() !== "" ? text : null);
    if (moment !== null) onChange(moment.toISOString());
    else if (text.trim() === "") onChange(undefined);
  }

  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2 max-sm:w-full">
      <Label htmlFor={id} className="whitespace-nowrap text-muted-foreground text-xs">
        {name}
      </Label>
      <Input
        id={id}
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        title={Number.isNaN(ms) ? undefined : formatMoment(ms, "UTC")}
        aria-invalid={isUnread}
        aria-describedby={isUnread ? `${id}-error` : undefined}
        className="h-7.5 w-60 tabular-nums max-sm:min-w-0 max-sm:flex-1 max-sm:px-2"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={apply}
        onKeyDown={(event: KeyboardEvent) => event.key === "Enter" && apply()}
      />
      {isUnread && (
        <p id={`${id}-error`} role="alert" className="text-destructive-text text-xs">
          {NOT_A_TIME}
        </p>
      )}
    </div>
  );
}
