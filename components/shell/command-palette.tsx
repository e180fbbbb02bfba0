"use client";

import { useQuery } from "@tanstack/react-query";
import type { LucideIcon } from "lucide-react";
import { useDeferredValue, useEffect, useState } from "react";
import {
  CommandDialog,
  CommandEmpty,
  CommandGroup,
  CommandInput,
  CommandItem,
  CommandList,
} from "@/components/ui/command";
import { Spinner } from "@/components/ui/spinner";

export type PaletteCommand = {
  id: string;
  label: string;
  icon: LucideIcon;
  /** Secondary text on the right: an id, a handle or an environment. */
  hint?: string;
  keywords?: string[];
  run: () => void;
};

export type PaletteGroup = { label: string; commands: PaletteCommand[] };

/** Searches on the server. Called with at least two characters. */
export type PaletteSearch = (query: string, signal: AbortSignal) => Promise<PaletteCommand[]>;

export type CommandPaletteProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  groups: PaletteGroup[];
  search?: PaletteSearch | undefined;
  /** The text that the user typed while the palette was loading. */
  initialQuery?: string;
};

/** The command palette: search for pages, commands and chats. Opens with Ctrl-K or Cmd-K on every page. */
export function CommandPalette({
  open,
  onOpenChange,
  groups,
  search,
  initialQuery = "",
}: CommandPaletteProps) {
  const [query, setQuery] = useState(initialQuery);
  const found = usePaletteResults(query, search);
  usePaletteShortcut(() => change(!open));

  function change(next: boolean): void {
    setQuery("");
    onOpenChange(next);
  }

  function run(command: PaletteCommand): void {
    change(false);
    command.run();
  }

  return (
    <CommandDialog open={open} onOpenChange={change} filter={scoreCommand}>
      <CommandInput
        value={query}
        onValueChange={setQuery}
        placeholder="Go to a page or run a command…"
        aria-label="Search commands"
      />
      <CommandList>
        {found.commands.length === 0 && (
          <CommandEmpty>{found.isLoading ? "Searching…" : "No results."}</CommandEmpty>
        )}
        {groups.map((group) => (
          <CommandGroup key={group.label} heading={group.label}>
            {group.commands.map((command) => (
              <PaletteItem key={command.id} command={command} onRun={run} />
            ))}
          </CommandGroup>
        ))}
        {found.commands.length > 0 && (
          <CommandGroup heading="Results" forceMount>
            {found.commands.map((command) => (
              <PaletteItem key={command.id} command={command} onRun={run} forceMount />
            ))}
          </CommandGroup>
        )}
      </CommandList>
      {found.isLoading && (
        <div className="absolute top-4 right-4 text-muted-foreground">
          <Spinner />
        </div>
      )}
    </CommandDialog>
  );
}

// Words match in any order. A match at the start of the label ranks highest, then at the start of a word.
function scoreCommand(value: string, query: string, keywords: string[] = []): number {
  const label = value.toLowerCase();
  const text = `${label} ${keywords.join(" ").toLowerCase()}`;
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.every((word) => text.includes(word))) return 0;
  const starts = words.filter((word) => ` ${label}`.includes(` ${word}`)).length;
  const leads = words.some((word) => label.startsWith(word)) ? 1 : 0;
  return (1 + starts + leads) / (2 + words.length);
}

type PaletteItemProps = {
  command: PaletteCommand;
  onRun: (command: PaletteCommand) => void;
  forceMount?: boolean;
};

function PaletteItem({ command, onRun, forceMount }: PaletteItemProps) {
  const Icon = command.icon;
  return (
    <CommandItem
      value={`${command.label} ${command.id}`}
      keywords={command.keywords}
      forceMount={forceMount}
      onSelect={() => onRun(command)}
    >
      <Icon aria-hidden="true" />
      <span className="min-w-0 flex-1 truncate">{command.label}</span>
      {command.hint && <span className="truncate text-muted-foreground text-xs">{command.hint}</span>}
    </CommandItem>
  );
}

function usePaletteResults(query: string, search: PaletteSearch | undefined) {
  const text = useDeferredValue(query.trim());
  const { data, isFetching } = useQuery({
    queryKey: ["command-palette", text],
    queryFn: ({ signal }) => search?.(text, signal) ?? [],
    enabled: search !== undefined && text.length >= 2,
    placeholderData: (previous) => previous,
  });
  return { commands: text.length >= 2 ? (data ?? []) : [], isLoading: isFetching };
}

function usePaletteShortcut(toggle: () => void): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      toggle();
    }

    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [toggle]);
}
