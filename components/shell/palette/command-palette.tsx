"use client";

import { useQueries } from "@tanstack/react-query";
import { History } from "lucide-react";
import { useRouter } from "next/navigation";
import { useDeferredValue, useEffect, useMemo, useState } from "react";
import { Grouped } from "@/components/data/grouped";
import { customerCommands, handleCommands } from "@/components/shell/palette/handle-commands";
import type { PaletteCommand, PaletteGroup, PaletteSearch } from "@/components/shell/palette/palette-command";
import {
  commandValue,
  rankGroups,
  selectedValue,
  withoutPaths,
} from "@/components/shell/palette/rank-commands";
import { readRecent, storeRecent } from "@/components/shell/palette/recent-commands";
import { useMay } from "@/components/shell/rights";
import {
  CommandDialog,
  CommandEmpty,
  CommandGroup,
  CommandInput,
  CommandItem,
  CommandList,
} from "@/components/ui/command";
import { Spinner } from "@/components/ui/spinner";

export type CommandPaletteProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  groups: PaletteGroup[];
  searches: PaletteSearch[];
  /** The account whose recent commands are listed and stored. */
  accountId: string;
  /** The text that the user typed while the palette was loading. */
  initialQuery?: string;
};

/**
 * The command palette: search for pages, commands and objects. Opens with Ctrl-K or Cmd-K on every page. Enter runs the
 * first command unless another one is selected.
 */
export function CommandPalette({
  open,
  onOpenChange,
  groups,
  searches,
  accountId,
  initialQuery = "",
}: CommandPaletteProps) {
  const router = useRouter();
  const may = useMay();
  const [query, setQuery] = useState(initialQuery);
  const [chosen, setChosen] = useState<string | null>(null);
  const found = usePaletteResults(query, searches);
  const recent = useRecentGroup(accountId, open);
  usePaletteShortcut(() => change(!open));

  const text = query.trim();
  const own = rankGroups(text === "" ? [recent, ...groups] : groups, text);
  const openPath = (href: string) => router.push(href);
  const customer = { label: "Customer", commands: customerCommands(text, may, openPath) };
  const ofHandle = { label: "This person", commands: handleCommands(text, may, openPath) };
  // The customer is there before any result, and commands that harm come last, so Enter never runs one of them.
  const results = withoutPaths(found.groups, customer.commands);
  const shown = [customer, ...own, ...results, ofHandle].filter(({ commands }) => commands.length > 0);
  const selected = selectedValue(shown, chosen);

  function type(next: string): void {
    setQuery(next);
    setChosen(null);
  }

  // The list reports its own selection of the first command too, which is not a choice of the user.
  function choose(value: string): void {
    setChosen(value === selectedValue(shown, null) ? null : value);
  }

  function change(next: boolean): void {
    type("");
    onOpenChange(next);
  }

  function run(command: PaletteCommand): void {
    change(false);
    storeRecent(accountId, command);
    command.run();
  }

  return (
    <CommandDialog
      open={open}
      onOpenChange={change}
      shouldFilter={false}
      value={selected}
      onValueChange={choose}
    >
      <CommandInput
        value={query}
        onValueChange={type}
        placeholder="Search by ID, number, email or page…"
        aria-label="Search commands"
      />
      <CommandList>
        {shown.length === 0 && <CommandEmpty>{emptyText(found)}</CommandEmpty>}
        {shown.map((group) => (
          <CommandGroup key={group.label} heading={group.label}>
            {group.commands.map((command) => (
              <PaletteItem
                key={command.id}
                value={commandValue(group.label, command.id)}
                command={command}
                onRun={run}
              />
            ))}
          </CommandGroup>
        ))}
      </CommandList>
      {found.isLoading && (
        <div className="absolute top-4 right-4 text-muted-foreground">
          <Spinner />
        </div>
      )}
    </CommandDialog>
  );
}

function emptyText({ isLoading, hasFailed }: { isLoading: boolean; hasFailed: boolean }): string {
  if (isLoading) return "Searching…";
  return hasFailed ? "The search failed. Check your connection and search again." : "No results.";
}

type PaletteItemProps = {
  value: string;
  command: PaletteCommand;
  onRun: (command: PaletteCommand) => void;
};

function PaletteItem({ value, command, onRun }: PaletteItemProps) {
  const Icon = command.icon;
  return (
    <CommandItem value={value} onSelect={() => onRun(command)}>
      <Icon aria-hidden="true" />
      <span className="min-w-0 flex-1 truncate">
        <Grouped>{command.label}</Grouped>
      </span>
      {command.hint && (
        <span className="max-w-1/2 truncate text-muted-foreground text-xs">
          <Grouped>{command.hint}</Grouped>
        </span>
      )}
    </CommandItem>
  );
}

// Results of an earlier text are not shown: Enter would open something that was not searched for.
function usePaletteResults(query: string, searches: PaletteSearch[]) {
  const typed = query.trim();
  const text = useDeferredValue(typed);
  const isAsked = text.length >= 2;
  const results = useQueries({
    queries: searches.map(({ label, search }) => ({
      queryKey: ["command-palette", label, text],
      queryFn: ({ signal }: { signal: AbortSignal }) => search(text, signal),
      enabled: isAsked,
      retry: false,
    })),
  });
  const groups: PaletteGroup[] = searches.map(({ label }, at) => ({
    label,
    commands: isAsked && text === typed ? (results[at]?.data ?? []) : [],
  }));
  return {
    groups: groups.filter(({ commands }) => commands.length > 0),
    isLoading: text !== typed || results.some(({ isFetching }) => isFetching),
    hasFailed: results.some(({ isError }) => isError),
  };
}

function useRecentGroup(accountId: string, open: boolean): PaletteGroup {
  const router = useRouter();
  const recent = useMemo(() => (open ? readRecent(accountId) : []), [accountId, open]);
  const commands = recent.map(({ href, label, hint }) => ({
    id: href,
    label,
    icon: History,
    hint,
    href,
    run: () => router.push(href),
  }));
  return { label: "Recent", commands };
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
