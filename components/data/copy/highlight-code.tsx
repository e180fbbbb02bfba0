import { Fragment, type ReactNode } from "react";

export type CodeLanguage = "json" | "curl" | "typescript" | "python" | "go";

const keywords: Record<CodeLanguage, string> = {
  json: "true|false|null",
  curl: "curl|export",
  typescript:
    "import|from|export|const|let|await|async|new|function|return|for|of|if|else|throw|try|catch|true|false|null|undefined",
  python:
    "import|from|as|def|return|for|in|if|else|elif|with|await|async|print|raise|try|except|True|False|None",
  go: "package|import|func|return|var|const|if|else|for|range|defer|type|struct|map|string|nil|true|false|err",
};

const comments: Record<CodeLanguage, string> = {
  json: "(?!)",
  curl: "(?<=^|\\s)#.*",
  typescript: "\\/\\/.*",
  python: "#.*",
  go: "\\/\\/.*",
};

const strings = `"(?:[^"\\\\\\n]|\\\\.)*"|'(?:[^'\\\\]|\\\\[^])*'|\`[^\`]*\``;

const colours: Record<string, string> = {
  comment: "text-muted-foreground italic",
  key: "text-code-key",
  string: "text-code-string",
  number: "text-code-number",
  keyword: "text-code-keyword",
};

function patternOf(language: CodeLanguage): RegExp {
  const key = language === "json" ? `(?<key>"(?:[^"\\\\\\n]|\\\\.)*"(?=\\s*:))|` : "";
  return new RegExp(
    `(?<comment>${comments[language]})|${key}(?<string>${strings})|(?<number>(?<![\\w-])-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?\\b)|(?<keyword>\\b(?:${keywords[language]})\\b)`,
    "gm",
  );
}

/** Highlights strings, numbers, keywords, comments and JSON keys. */
export function highlightCode(code: string, language: CodeLanguage): ReactNode {
  const pieces: ReactNode[] = [];
  let end = 0;
  for (const match of code.matchAll(patternOf(language))) {
    const kind = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined)?.[0];
    if (!kind || !match[0]) continue;
    pieces.push(<Fragment key={`${match.index}-`}>{code.slice(end, match.index)}</Fragment>);
    pieces.push(
      <span key={match.index} className={colours[kind]}>
        {match[0]}
      </span>,
    );
    end = match.index + match[0].length;
  }
  pieces.push(<Fragment key="rest">{code.slice(end)}</Fragment>);
  return pieces;
}
