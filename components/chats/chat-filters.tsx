"use client";

import { Search, X } from "lucide-react";
import { Toolbar } from "radix-ui";
import { useEffect, useEffectEvent, useState } from "react";
import type { ChatFilter } from "@/components/chats/use-conversations";
import { Button } from "@/components/ui/button";
import { InputGroup, InputGroupAddon, InputGroupInput } from "@/components/ui/input-group";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";
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

const SERVICES = ["iMessage", "RCS", "SMS"];

/** The views of the chat list: the support agent's first questions first. */
const VIEWS = [
  { view: null, label: "All" },
  { view: "unread", label: "Unread" },
  { view: "at_risk", label: "At risk" },
  { view: "mine", label: "Mine" },
  { view: "opted_out", label: "Opted out" },
  { view: "failed", label: "Failed" },
];

/** One stop for Tab; the arrow keys move between the views. */
function ViewTabs({ view, onChange }: { view: string | null; onChange: (view: string | null) => void }) {
  return (
    <Toolbar.Root aria-label="View" className="-mx-1.5 flex flex-wrap gap-0.5">
      {VIEWS.map(({ view: offered, label }) => (
        <Toolbar.Button key={label} asChild>
          <Button
            size="xs"
            className="px-1.5"
            variant={view === offered ? "secondary" : "ghost"}
            aria-pressed={view === offered}
            onClick={() => onChange(offered)}
          >
            {label}
          </Button>
        </Toolbar.Button>
      ))}
    </Toolbar.Root>
  );
}

/** Filters the chat list by view, by recipient or group name, by service and by line. */
export function ChatFilters({ filter, lines, onChange, onClear }: ChatFiltersProps) {
  return (
    <search className="flex flex-col gap-2 border-b px-4 py-3">
      <SearchField search={filter.search} onChange={(search) => onChange({ search })} />
      <ViewTabs view={filter.view} onChange={(view) => onChange({ view })} />
      <Select
        value={filter.service ?? ALL}
        onValueChange={(service) => onChange({ service: service === ALL ? null : service })}
      >
        <SelectTrigger size="sm" aria-label="Service" className="w-full">
          <SelectValue />
        </SelectTrigger>
        <SelectContent>
          <SelectItem value={ALL}>All services</SelectItem>
          {SERVICES.map((service) => (
            <SelectItem key={service} value={service}>
              {service}
            </SelectItem>
          ))}
        </SelectContent>
      </Select>
      {lines.length > 1 && (
        <Select
          value={filter.line ?? ALL}
          onValueChange={(line) => onChange({ line: line === ALL ? null : line })}
        >
          <SelectTrigger size="sm" aria-label="Line" className="w-full">
            <SelectValue />
          </SelectTrigger>
          <SelectContent>
            <SelectItem value={ALL}>All lines</SelectItem>
            {lines.map((line) => (
              <SelectItem key={line.id} value={line.id}>
                <span className="tabular-nums">{line.phone_number}</span>
                <span className="text-muted-foreground">{line.line_type}</span>
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
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
