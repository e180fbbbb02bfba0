import { expect, test } from "vitest";
import { findHits, mustFollow } from "./check-language.mjs";

const wordsOf = (file: string, source: string) =>
  findHits(file, source).map((hit: string) => hit.split(" → ")[0]);

test("names are read word by word, and constants by their ending", () => {
  const source =
    "const recordUserDeed = 1;\nconst TEXT_MOST = 2;\nconst mostRecent = isAllowed(unreachable);\n";
  expect(wordsOf("lib/a.ts", source)).toEqual(["lib/a.ts:1: recordUserDeed", "lib/a.ts:2: TEXT_MOST"]);
});

test("names of packages and stored values are no hits", () => {
  const source =
    'import { Film } from "lucide-react";\nconst stored = { never_owed: 1 };\nconst queue = "judge-lines";\n';
  expect(wordsOf("lib/a.ts", source)).toEqual([]);
  expect(wordsOf("lib/a.ts", "const film = { isOwed: 1 };\n")).toHaveLength(2);
});

test("comments, strings and the text of pages are read", () => {
  const source = '// Nobody may.\nconst a = "is told";\nexport const B = () => <p>Whoever asks</p>;\n';
  expect(wordsOf("lib/a.tsx", source).sort()).toEqual([
    "lib/a.tsx:1: Nobody",
    "lib/a.tsx:2: is told",
    "lib/a.tsx:3: Whoever",
  ]);
});

test("labels of pages follow stricter rules than other strings", () => {
  const source = 'export const title = "What weighs on the line";\n';
  expect(wordsOf("lib/a.tsx", source)).toEqual([]);
  expect(wordsOf("components/a.tsx", source)).toHaveLength(1);
});

test("a comment names the thing it describes", () => {
  expect(wordsOf("lib/a.ts", "/** What a caller may do. */\nconst a = 1; // Who asks.\n")).toHaveLength(2);
  expect(wordsOf("lib/a.ts", "// The rights of a caller, and\n// what follows from them.\n")).toEqual([]);
});

test("pages, docs and the schema must follow the glossary, other code need not", () => {
  const files = ["components/a.tsx", "app/page.tsx", "docs/a.md", "prisma/schema.prisma", "lib/a.ts"];
  expect(files.filter(mustFollow)).toEqual(files.slice(0, 4));
});

test("prose is read without its code", () => {
  const source = "The webhook is told.\n\n```\nnobody\n```\n\nRun `nobody`.\n";
  expect(wordsOf("docs/a.md", source)).toEqual(["docs/a.md:1: is told"]);
});

test("a comment is read wherever it stands", () => {
  const source = "function a() {\n  run();\n  // Nobody may.\n}\nconst B = () => <p>{/* whoever */}</p>;\n";
  expect(wordsOf("lib/a.tsx", source)).toEqual(["lib/a.tsx:3: Nobody", "lib/a.tsx:5: whoever"]);
});
