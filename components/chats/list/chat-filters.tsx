"use client";

import { Search, SlidersHorizontal, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useEffectEvent, useState } from "react";
import { offeredViews } from "@/components/chats/list/chat-views";
import type { FilterPopoverProps } from "@/components/chats/list/filter-popover";
import { LazyOpen } from "@/components/data/lazy-open";
import { Button } from "@/components/ui/button";
import { InputGroup, InputGroupAddon, InputGroupInput } from "@/components/ui/input-group";
import type { InboxCounts } from "@/lib/messaging/inbox/count-inbox";

const TYPING_MS = 250;
const MAX_COUNT = 999;

type ChatFiltersProps = FilterPopoverProps & {
  counts: InboxCounts;
  /** Clears the filters; absent while none is set. */
  onClear: (() => void) | undefined;
};

const load = async () => (await import("@/components/chats/list/filter-popover")).FilterPopover;

type ViewTabsProps = {
  view: string | null;
  counts: InboxCounts;
  onChange: (view: string | null) => void;
};

/** One stop for Tab; the arrow keys, Home and End move between the views. */
function ViewTabs({ view, counts, onChange }: ViewTabsProps) {
  const offered = offeredViews(counts, view);
  // By label: views come and go.
  const [stopLabel, setStopLabel] = useState<string>();
  const stop = Math.max(
    0,
    offered.findIndex(({ label }) => label === stopLabel),
  );

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    const buttons = [...event.currentTarget.querySelectorAll("button")];
    const next = nextStop(event.key, stop, buttons.length);
    if (next === null) return;
    event.preventDefault();
    buttons[next]?.focus();
  }

  return (
    <div
      role="toolbar"
      aria-label="View"
      className="-mx-3 flex gap-0.5 overflow-x-auto px-3 py-0.5 [scrollbar-width:none]"
      onKeyDown={onKeyDown}
    >
      {offered.map(({ view: own, label, count }, index) => (
        <Button
          key={label}
          size="xs"
          className="px-1.5"
          variant={view === own ? "secondary" : "ghost"}
          tabIndex={index === stop ? 0 : -1}
          aria-pressed={view === own}
          onFocus={() => setStopLabel(label)}
          onClick={() => onChange(own)}
        >
          {label}
          {count !== undefined && <Count count={counts[count] ?? 0} />}
        </Button>
      ))}
    </div>
  );
}

function Count({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className="text-muted-foreground tabular-nums">{count > MAX_COUNT ? `${MAX_COUNT}+` : count}</span>
  );
}

/** The button that a key moves to, or null. The arrow keys wrap around. */
function nextStop(key: string, stop: number, count: number): number | null {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[key];
  if (by !== undefined) return (stop + by + count) % count;
  return { Home: 0, End: count - 1 }[key] ?? null;
}

/** Filters the chat list by view, by recipient or group name, and in one popover by service, line and team. */
export function ChatFilters({ counts, onClear, ...popover }: ChatFiltersProps) {
  const { filter, onChange } = popover;
  const chosen = [filter.service, filter.line, filter.team].filter((value) => value !== null).length;
  return (
    <search className="flex flex-col gap-1 border-b px-3 pt-1.5 pb-1">
      <div className="flex items-center gap-1.5">
        <SearchField search={filter.search} onChange={(search) => onChange({ search })} />
        <LazyOpen
          popup="dialog"
          load={load}
          props={popover}
          trigger={
            <Button variant={chosen > 0 ? "secondary" : "outline"} size="icon" title="Filters">
              <SlidersHorizontal aria-hidden="true" />
              <span className="sr-only">Filters{chosen > 0 && `, ${chosen} set`}</span>
            </Button>
          }
        />
        {onClear && (
          <Button variant="ghost" size="icon" title="Clear filters" onClick={onClear}>
            <X aria-hidden="true" />
            <span className="sr-only">Clear filters</span>
          </Button>
        )}
      </div>
      <ViewTabs view={filter.view} counts={counts} onChange={(view) => onChange({ view })} />
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
        aria-label="Search chats by number, email or group name, and messages by words"
        placeholder="Number, group or words"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </InputGroup>
  );
}
