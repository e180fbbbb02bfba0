"use client";

import { Search, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useEffectEvent, useState } from "react";
import { lineOptions } from "@/components/chats/line-options";
import type { ChatFilter } from "@/components/chats/list/use-conversations";
import { LazySelect } from "@/components/data/fields/lazy-select";
import { Button } from "@/components/ui/button";
import { InputGroup, InputGroupAddon, InputGroupInput } from "@/components/ui/input-group";
import type { Line } from "@/lib/lines/lines/line";

const TYPING_MS = 250;
const ALL = "all";

type ChatFiltersProps = {
  filter: ChatFilter;
  lines: Line[];
  onChange: (change: Partial<ChatFilter>) => void;
  /** Clears the filters; absent while none is set. */
  onClear: (() => void) | undefined;
};

const SERVICES = ["iMessage", "RCS", "SMS"].map((service) => ({ value: service, label: service }));

/** The views of the chat list: the support agent's first questions first. */
const VIEWS = [
  { view: null, label: "All" },
  { view: "unread", label: "Unread" },
  { view: "at_risk", label: "At risk" },
  { view: "mine", label: "Mine" },
  { view: "opted_out", label: "Opted out" },
  { view: "failed", label: "Failed" },
];

/** One stop for Tab; the arrow keys, Home and End move between the views. */
function ViewTabs({ view, onChange }: { view: string | null; onChange: (view: string | null) => void }) {
  const [stop, setStop] = useState(0);

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    const buttons = [...event.currentTarget.querySelectorAll("button")];
    const next = nextStop(event.key, stop, buttons.length);
    if (next === null) return;
    event.preventDefault();
    buttons[next]?.focus();
  }

  return (
    <div role="toolbar" aria-label="View" className="-mx-1.5 flex flex-wrap gap-0.5" onKeyDown={onKeyDown}>
      {VIEWS.map(({ view: offered, label }, index) => (
        <Button
          key={label}
          size="xs"
          className="px-1.5"
          variant={view === offered ? "secondary" : "ghost"}
          tabIndex={index === stop ? 0 : -1}
          aria-pressed={view === offered}
          onFocus={() => setStop(index)}
          onClick={() => onChange(offered)}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}

/** The button that a key moves to, or null. The arrow keys wrap around. */
function nextStop(key: string, stop: number, count: number): number | null {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[key];
  if (by !== undefined) return (stop + by + count) % count;
  return { Home: 0, End: count - 1 }[key] ?? null;
}

/** Filters the chat list by view, by recipient or group name, by service and by line. */
export function ChatFilters({ filter, lines, onChange, onClear }: ChatFiltersProps) {
  return (
    <search className="flex flex-col gap-2 border-b px-4 py-3">
      <SearchField search={filter.search} onChange={(search) => onChange({ search })} />
      <ViewTabs view={filter.view} onChange={(view) => onChange({ view })} />
      <LazySelect
        label="Service"
        size="sm"
        className="w-full"
        value={filter.service ?? ALL}
        options={[{ value: ALL, label: "All services" }, ...SERVICES]}
        onChange={(service) => onChange({ service: service === ALL ? null : service })}
      />
      {lines.length > 1 && (
        <LazySelect
          label="Line"
          size="sm"
          className="w-full"
          value={filter.line ?? ALL}
          options={[{ value: ALL, label: "All lines" }, ...lineOptions(lines, "id")]}
          onChange={(line) => onChange({ line: line === ALL ? null : line })}
        />
      )}
      {onClear && (
        <Button variant="ghost" size="sm" className="self-start" onClick={onClear}>
          <X aria-hidden="true" />
          Clear filters
        </Button>
      )}
    </search>
  );
}

function SearchField({ search, onChange }: { search: string; onChange: (search: string) => void }) {
  const [text, setText] = useState(search);
  const settle = useEffectEvent(() => {
    if (text.trim() !== search) onChange(text.trim());
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: each keystroke restarts the delay
  useEffect(() => {
    const timer = setTimeout(() => settle(), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);

  return (
    <InputGroup>
      <InputGroupAddon>
        <Search aria-hidden="true" />
      </InputGroupAddon>
      <InputGroupInput
        type="search"
        aria-label="Search chats by number, email or group name"
        placeholder="Number, email or group"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </InputGroup>
  );
}
