import type { Tokens } from "marked";
import { CodeTabs, type SnippetLanguage } from "@/components/data/copy/code-tabs";
import type { CodeLanguage } from "@/components/data/copy/highlight-code";
import { CodeBlock } from "@/components/docs/code-block";
import { RequestTabs } from "@/components/docs/request-tabs";
import { parseRequest } from "@/lib/docs/reference/request-snippets";

const LANGUAGES: Readonly<Record<string, { id: CodeLanguage; name: string }>> = {
  sh: { id: "curl", name: "Shell" },
  ts: { id: "typescript", name: "TypeScript" },
  python: { id: "python", name: "Python" },
  go: { id: "go", name: "Go" },
  json: { id: "json", name: "JSON" },
};

/**
 * Code blocks of a guide that follow each other. A block of the language `http` is shown in every language. Several
 * blocks in different languages are tabs.
 */
export function MarkdownCode({ blocks, label }: { blocks: readonly Tokens.Code[]; label: string }) {
  const [first] = blocks;
  if (first === undefined) return null;
  if (first.lang === "http") {
    return <RequestTabs label={label} request={parseRequest(first.text)} />;
  }
  if (blocks.length > 1) {
    const snippets = Object.fromEntries(
      blocks.map((block) => [languageOf(block).id as SnippetLanguage, block.text]),
    );
    return <CodeTabs label={label} snippets={snippets} />;
  }
  const { id, name } = languageOf(first);
  return <CodeBlock code={first.text} language={id} title={titleOf(first) ?? name} label={label} />;
}

/** Groups of code blocks that belong together: requests alone, other adjacent blocks in different languages as one. */
export function belongsToTabs(group: readonly Tokens.Code[], next: Tokens.Code): boolean {
  const isTab = ({ lang }: Tokens.Code) => ["sh", "ts", "python", "go"].includes(lang ?? "");
  return [...group, next].every(isTab) && !group.some(({ lang }) => lang === next.lang);
}

function languageOf({ lang = "" }: Tokens.Code) {
  const name = lang.split(" ", 1)[0] ?? "";
  return LANGUAGES[name] ?? { id: "json" as const, name: "Text" };
}

function titleOf({ lang = "" }: Tokens.Code): string | undefined {
  return /title="([^"]+)"/.exec(lang)?.[1];
}
