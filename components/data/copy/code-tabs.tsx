"use client";

import { CopyButton } from "@/components/data/copy/copy-button";
import { type CodeLanguage, highlightCode } from "@/components/data/copy/highlight-code";
import { useStoredChoice } from "@/components/data/fields/use-stored-choice";
import { ScrollRegion } from "@/components/data/scroll-region";
import { useInstanceUrl } from "@/components/data/use-instance-url";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs";
import { cn } from "@/lib/cn";

export type SnippetLanguage = Exclude<CodeLanguage, "json">;

const languages = [
  { id: "curl", name: "curl" },
  { id: "typescript", name: "TypeScript" },
  { id: "python", name: "Python" },
  { id: "go", name: "Go" },
] satisfies { id: SnippetLanguage; name: string }[];

type CodeTabsProps = {
  /** The purpose of the code, for example "send a message". */
  label: string;
  snippets: Partial<Record<SnippetLanguage, string>>;
  className?: string;
};

/** The same snippet in several languages. The chosen language is stored and shared by all snippets. */
export function CodeTabs({ label, snippets, className }: CodeTabsProps) {
  const [stored, choose] = useStoredChoice("trunkline.language");
  const offered = languages.filter(({ id }) => snippets[id] !== undefined);
  const current = offered.find(({ id }) => id === stored) ?? offered[0];
  const code = useInstanceUrl(current === undefined ? "" : (snippets[current.id] ?? ""));
  if (!current) return null;
  return (
    <Tabs
      value={current.id}
      onValueChange={choose}
      className={cn("min-w-0 gap-0 overflow-hidden rounded-lg border bg-card", className)}
    >
      <div className="flex items-center justify-between gap-2 border-b bg-muted/60 pr-2 pl-3">
        <TabsList
          variant="line"
          aria-label={`Language: ${label}`}
          className="min-w-0 overflow-x-auto border-b-0"
        >
          {offered.map(({ id, name }) => (
            <TabsTrigger key={id} value={id} className="text-xs">
              {name}
            </TabsTrigger>
          ))}
        </TabsList>
        <CopyButton value={code} label={`${current.name}: ${label}`} />
      </div>
      {offered.map(({ id, name }) => (
        <TabsContent key={id} value={id} tabIndex={-1} className="rounded-none">
          <ScrollRegion
            label={`${name}: ${label}`}
            className="max-h-96 overflow-auto focus-visible:-outline-offset-2"
          >
            <pre className="w-max min-w-full p-4 font-mono text-xs leading-5">
              <code>{id === current.id && highlightCode(code, id)}</code>
            </pre>
          </ScrollRegion>
        </TabsContent>
      ))}
    </Tabs>
  );
}
