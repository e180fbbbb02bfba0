import { globSync, readFileSync } from "node:fs";
import type { Tokens } from "marked";
import { parseMarkdown } from "@/lib/docs/guides/markdown-sections";

/** A fenced code block of a document. */
export interface Sample {
  /** The path of the document in the repository. */
  file: string;
  /** The language of the block; empty for plain text. */
  language: string;
  /** The file name that the document gives the block, such as quickstart.py. */
  title: string | null;
  text: string;
}

/** The documents whose samples tests check: the guides and quickstarts, the documents of the repository, the README. */
const DOCUMENTS = ["docs/site/**/*.md", "docs/*.md", "README.md"];

/** Every code block of the documents, those inside lists included, in the order of the files. */
export function readSamples(): Sample[] {
  return globSync(DOCUMENTS)
    .sort()
    .flatMap((file) => {
      const markdown = readFileSync(file, "utf8").replace(/^---\n[\s\S]*?\n---\n/, "");
      return codeBlocks(parseMarkdown(markdown)).map((block) => toSample(file, block));
    });
}

function toSample(file: string, { lang = "", text }: Tokens.Code): Sample {
  const [language = ""] = lang.split(" ");
  return { file, language, title: /title="([^"]+)"/.exec(lang)?.[1] ?? null, text };
}

function codeBlocks(tokens: ReturnType<typeof parseMarkdown>): Tokens.Code[] {
  return tokens.flatMap((token) => {
    if (token.type === "code") return [token as Tokens.Code];
    if (token.type === "list") return (token as Tokens.List).items.flatMap((item) => codeBlocks(item.tokens));
    return [];
  });
}
