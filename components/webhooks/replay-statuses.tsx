"use client";

import { useId } from "react";
import { Checkbox } from "@/components/ui/checkbox";
import { STANDINGS } from "@/components/webhooks/replay-fields";

type ReplayStatusesProps = { chosen: string[]; onChange: (statuses: string[]) => void };

/** What became of the events that are sent once more. */
export function ReplayStatuses({ chosen, onChange }: ReplayStatusesProps) {
  const id = useId();
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 font-medium text-sm">Events that were</legend>
      <div className="grid gap-x-6 gap-y-2 sm:grid-cols-2">
        {STANDINGS.map(({ status, label, note }) => (
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
