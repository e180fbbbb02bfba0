"use client";

import { Search } from "lucide-react";
import { useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { InputGroup, InputGroupAddon, InputGroupInput } from "@/components/ui/input-group";
import type { EventGroupChoice } from "@/lib/events/catalog/event-groups";

type EventChoiceProps = {
  groups: EventGroupChoice[];
  chosen: string[];
  onChange: (types: string[]) => void;
};

/** The event types to send, by group. "Select all" applies to the types that match the search. */
export function EventChoice({ groups, chosen, onChange }: EventChoiceProps) {
  const [text, setText] = useState("");
  const shown = narrow(groups, text.trim().toLowerCase());
  const types = shown.flatMap(({ events }) => events.map(({ type }) => type));
  const isAll = types.length > 0 && types.every((type) => chosen.includes(type));

  function toggle(some: string[], on: boolean): void {
    const rest = chosen.filter((type) => !some.includes(type));
    onChange(on ? [...rest, ...some] : rest);
  }

  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-2 font-medium text-sm">
        Events <span className="font-normal text-muted-foreground">({chosen.length} selected)</span>
      </legend>
      <div className="flex items-center gap-2">
        <InputGroup>
          <InputGroupAddon>
            <Search aria-hidden="true" />
          </InputGroupAddon>
          <InputGroupInput
            type="search"
            aria-label="Search events"
            placeholder="message, poll, payment …"
            autoComplete="off"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </InputGroup>
        <Button variant="outline" disabled={types.length === 0} onClick={() => toggle(types, !isAll)}>
          {isAll ? "Clear all" : "Select all"}
        </Button>
      </div>
      <div className="flex max-h-64 flex-col gap-4 overflow-y-auto rounded-lg border p-3.5">
        {shown.map((group) => (
          <Group key={group.group} group={group} chosen={chosen} onToggle={toggle} />
        ))}
        {shown.length === 0 && <p className="text-muted-foreground text-sm">No matching event.</p>}
      </div>
    </fieldset>
  );
}

type GroupProps = {
  group: EventGroupChoice;
  chosen: string[];
  onToggle: (types: string[], on: boolean) => void;
};

function Group({ group, chosen, onToggle }: GroupProps) {
  const types = group.events.map(({ type }) => type);
  const isAll = types.every((type) => chosen.includes(type));
  return (
    <div className="flex flex-col gap-2">
      <Choice label={group.group} isOn={isAll} onToggle={(on) => onToggle(types, on)} strong />
      <div className="flex flex-col gap-2 pl-6">
        {group.events.map(({ type, summary }) => (
          <Choice
            key={type}
            label={type}
            note={summary}
            isOn={chosen.includes(type)}
            onToggle={(on) => onToggle([type], on)}
          />
        ))}
      </div>
    </div>
  );
}

type ChoiceProps = {
  label: string;
  note?: string;
  isOn: boolean;
  strong?: boolean;
  onToggle: (on: boolean) => void;
};

function Choice({ label, note, isOn, strong = false, onToggle }: ChoiceProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-2">
      <Checkbox id={id} checked={isOn} onCheckedChange={(on) => onToggle(on === true)} className="mt-0.5" />
      <label htmlFor={id} className="flex min-w-0 flex-col text-sm leading-5">
        <span className={strong ? "font-medium" : "wrap-anywhere font-mono text-xs leading-5"}>{label}</span>
        {note && <span className="text-muted-foreground text-xs">{note}</span>}
      </label>
    </div>
  );
}

function narrow(groups: EventGroupChoice[], text: string): EventGroupChoice[] {
  return groups
    .map(({ group, events }) => ({
      group,
      events: events.filter(({ type, summary }) =>
        `${group} ${type} ${summary}`.toLowerCase().includes(text),
      ),
    }))
    .filter(({ events }) => events.length > 0);
}
