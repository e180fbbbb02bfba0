"use client";

import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import { EventChoice } from "@/components/webhooks/event-choice";
import type { EventGroupChoice } from "@/lib/events/catalog/event-groups";

type TypeFilterProps = {
  groups: EventGroupChoice[];
  chosen: readonly string[];
  /** Called once, when the popover closes. */
  onChange: (types: string[]) => void;
};

/** Selects event types by group. An empty selection means all types. */
export function TypeFilter({ groups, chosen, onChange }: TypeFilterProps) {
  const [marked, setMarked] = useState<string[] | null>(null);

  function onOpenChange(open: boolean): void {
    setMarked(open ? [...chosen] : null);
    if (!open && marked !== null && marked.join() !== chosen.join()) onChange(marked);
  }

  return (
    // A popover inside a dialog can only be scrolled if it is modal.
    <Popover modal open={marked !== null} onOpenChange={onOpenChange}>
      <PopoverTrigger asChild>
        <Button
          variant="outline"
          size="sm"
          className="max-w-72 justify-between border-input font-normal max-sm:w-full max-sm:min-w-0"
        >
          <span className="truncate">
            <span className="sr-only">Event types: </span>
            {nameOf(chosen)}
          </span>
          <ChevronDown aria-hidden="true" className="opacity-60" />
        </Button>
      </PopoverTrigger>
      <PopoverContent align="start" aria-label="Event types" className="w-96">
        <EventChoice groups={groups} chosen={marked ?? []} onChange={setMarked} />
        <div className="mt-3 flex justify-end gap-2">
          <Button variant="ghost" size="sm" disabled={marked?.length === 0} onClick={() => setMarked([])}>
            All types
          </Button>
          <Button size="sm" onClick={() => onOpenChange(false)}>
            Show
          </Button>
        </div>
      </PopoverContent>
    </Popover>
  );
}

function nameOf(chosen: readonly string[]): string {
  const [first] = chosen;
  if (first === undefined) return "All types";
  return chosen.length === 1 ? first : `${chosen.length} types`;
}
