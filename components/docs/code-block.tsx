"use client";

import { CopyButton } from "@/components/data/copy/copy-button";
import { type CodeLanguage, highlightCode } from "@/components/data/copy/highlight-code";
import { ScrollRegion } from "@/components/data/scroll-region";
import { useInstanceUrl } from "@/components/data/use-instance-url";

type CodeBlockProps = {
  code: string;
  language: CodeLanguage;
  /** The name of the language or of the file, shown above the code. */
  title: string;
  /** The purpose of the code, for screen readers. */
  label: string;
};

/** Code in one language with a title and a copy button. */
export function CodeBlock({ code, language, title, label }: CodeBlockProps) {
  const shown = useInstanceUrl(code);
  return (
    <div className="min-w-0 overflow-hidden rounded-lg border bg-card">
      <div className="flex items-center justify-between gap-2 border-b bg-muted/60 py-1.5 pr-2 pl-4">
        <span className="truncate font-medium text-muted-foreground text-xs">{title}</span>
        <CopyButton value={shown} label={`${title}: ${label}`} />
      </div>
      <ScrollRegion
        label={`${title}: ${label}`}
        className="max-h-128 overflow-auto focus-visible:-outline-offset-2"
      >
        <pre className="w-max min-w-full p-4 font-mono text-xs leading-5">
          <code>{highlightCode(shown, language)}</code>
        </pre>
      </ScrollRegion>
    </div>
  );
}
