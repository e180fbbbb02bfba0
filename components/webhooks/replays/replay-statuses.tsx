"use client";

import { useId } from "react";
import { Checkbox } from "@/components/ui/checkbox";
import { STATUS_CHOICES } from "@/components/webhooks/replays/replay-fields";

type ReplayStatusesProps = { chosen: string[]; onChange: (statuses: string[]) => void };

/** Selects which events to send again, by their delivery status. */
export function ReplayStatuses({ chosen, onChange }: ReplayStatusesProps) {
  const id = useId();
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 font-medium text-sm">Delivery status</legend>
      <div className="grid gap-x-6 gap-y-2 sm:grid-cols-2">
        {STATUS_CHOICES.map(({ status, label, note }) => (
          <div key={status} className="flex items-start gap-2">
            <Checkbox
              id={`${id}${status}`}
              className="mt-0.5"
              checked={chosen.includes(status)}
              onCheckedChange={(on) =>
                onChange(on === true ? [...chosen, status] : chosen.filter((other) => other !== status))
              }
            />
            <label htmlFor={`${id}${status}`} className="text-sm leading-5">
              {label} <span className="text-muted-foreground text-xs">{note}</span>
            </label>
          </div>
        ))}
      </div>
    </fieldset>
  );
}
