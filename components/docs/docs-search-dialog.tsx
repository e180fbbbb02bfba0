"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { type DocsResult, searchDocs } from "@/components/docs/search-docs";
import { CommandDialog, CommandInput, CommandItem, CommandList } from "@/components/ui/command";

type DocsSearchDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The text that the user typed while the dialog was loading. */
  initialQuery: string;
};

const MESSAGES = {
  empty: "Search guides, operations, events and error codes.",
  none: "No page matches. Try fewer or other words.",
  failed: "The search index could not be loaded. Check your connection and search again.",
};

/** The search palette of the documentation. */
export function DocsSearchDialog({ open, onOpenChange, initialQuery }: DocsSearchDialogProps) {
  const router = useRouter();
  const [query, setQuery] = useState(initialQuery);
  const { results, message } = useDocsResults(query);

  function visit({ href }: DocsResult): void {
    onOpenChange(false);
    setQuery("");
    router.push(href);
  }

  return (
    <CommandDialog
      open={open}
      onOpenChange={onOpenChange}
      shouldFilter={false}
      title="Search the docs"
      description="Search guides, operations, events and error codes"
    >
      <CommandInput
        value={query}
        onValueChange={setQuery}
        placeholder="Search the docs…"
        aria-label="Search the docs"
      />
      <CommandList>
        {message !== null && (
          <p role="status" className="px-4 py-6 text-center text-muted-foreground">
            {message}
          </p>
        )}
        {results.map((result) => (
          <CommandItem key={result.href} value={result.href} onSelect={() => visit(result)}>
            <span className="flex min-w-0 flex-1 flex-col gap-0.5">
              <span className="flex min-w-0 items-baseline gap-2">
                <span className="truncate font-medium">{result.title}</span>
                {result.heading !== "" && (
                  <span className="truncate text-muted-foreground text-xs">{result.heading}</span>
                )}
              </span>
              <span className="truncate text-muted-foreground text-xs">{result.text}</span>
            </span>
            <span className="shrink-0 text-muted-foreground text-xs">{result.group}</span>
          </CommandItem>
        ))}
      </CommandList>
    </CommandDialog>
  );
}

function useDocsResults(query: string): { results: DocsResult[]; message: string | null } {
  const [found, setFound] = useState<{ query: string; results: DocsResult[] | null }>({
    query: "",
    results: [],
  });
  const text = query.trim();

  useEffect(() => {
    let isCurrent = true;
    if (text !== "") {
      searchDocs(text).then(
        (results) => isCurrent && setFound({ query: text, results }),
        () => isCurrent && setFound({ query: text, results: null }),
      );
    }
    return () => {
      isCurrent = false;
    };
  }, [text]);

  if (text === "") return { results: [], message: MESSAGES.empty };
  if (found.results === null) return { results: [], message: MESSAGES.failed };
  const isEmpty = found.query === text && found.results.length === 0;
  return { results: found.results, message: isEmpty ? MESSAGES.none : null };
}
