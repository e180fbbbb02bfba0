// Finds names and phrases that docs and code must not use, and suggests replacements (scripts/glossary.json). Part of
// `npm run check`. Hits in pages and docs fail. Hits in other code are advice, which `--words` prints.
// `node scripts/check-language.mjs PATH…` checks only these files or folders.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import ts from "typescript";

const root = fileURLToPath(new URL("..", import.meta.url));
const {
  identifiers,
  text,
  comments,
  interface: ofInterface,
} = JSON.parse(readFileSync(path.join(root, "scripts", "glossary.json"), "utf8"));

// `except`: package names, which keep the spelling of the package.
const NAMES = identifiers.map(({ words, constant = false, except = [], use }) => ({
  pattern: new RegExp(constant ? `(?:^|_)(?:${words})` : `(?:^|_)(?:${words})(?:_|$)`),
  constant,
  except,
  use,
}));
const PHRASES = rulesOf(text, "i");
const COMMENTS = rulesOf(comments);
const LABELS = rulesOf(ofInterface);

/** The rules that each name breaks. The same names occur thousands of times. */
const HITS_OF_NAMES = new Map();

/** Files that are not checked: the glossary itself, third-party text and generated files. */
const SKIPPED =
  /^(scripts\/(glossary\.json|check-language)|lib\/platform\/prisma\/|prisma\/migrations\/|openapi|package-lock|sbom|LICENSE)/;
/** Text that users see: pages, and the messages of errors and notices. */
const INTERFACE = /^(app|components)\/.*\.tsx$/;

/** Returns every hit below `paths` as `path:line: "word" → use instead`. Without paths, checks all tracked files. */
export function findGlossaryHits(paths = []) {
  const listed = spawnSync(
    "git",
    ["ls-files", "--cached", "--others", "--exclude-standard", "--", ...paths],
    {
      cwd: root,
      encoding: "utf8",
    },
  );
  return listed.stdout
    .split("\n")
    .filter((file) => /\.(ts|tsx|mjs|md|prisma)$/.test(file) && !SKIPPED.test(file))
    .flatMap((file) => findHits(file, readFileSync(path.join(root, file), "utf8")));
}

/**
 * Returns the hits of one file. The type of `file` selects the parser: prose for Markdown and the schema, code for all
 * others.
 */
export function findHits(file, source) {
  if (/\.(md|prisma)$/.test(file)) return proseHits(file, source);
  const hits = [];
  const kind = file.endsWith("x")
    ? ts.ScriptKind.TSX
    : file.endsWith(".ts")
      ? ts.ScriptKind.TS
      : ts.ScriptKind.JS;
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, kind);
  const report = (position, word, use) => {
    const { line } = parsed.getLineAndCharacterOfPosition(position);
    hits.push(`${file}:${line + 1}: ${word} → ${use}`);
  };
  visit(parsed, (node) => {
    const at = node.getStart(parsed);
    if (ts.isIdentifier(node)) {
      for (const { use } of hitsOfName(node.text)) report(at, node.text, use);
    } else if (isText(node)) {
      for (const [word, use] of phrasesIn(node.text, PHRASES)) report(at, word, use);
      if (!INTERFACE.test(file)) return;
      for (const [word, use] of phrasesIn(node.text.trim(), LABELS)) report(at, word, use);
    }
  });
  for (const { pos, end } of commentsOf(parsed)) {
    const comment = source.slice(pos, end);
    for (const [word, use] of phrasesIn(comment, PHRASES)) report(pos, word, use);
    for (const [word, use] of phrasesIn(comment, COMMENTS)) report(pos, word, use);
  }
  return hits;
}

/** Whether a file must follow the glossary: pages, docs and the schema. */
export function mustFollow(file) {
  return INTERFACE.test(file) || /\.(md|prisma)$/.test(file);
}

function proseHits(file, source) {
  const withoutCode = source
    .replace(/```[\s\S]*?```/g, (block) => block.replace(/[^\n]/g, " "))
    // Keywords of guides are the words that readers type.
    .replace(/^keywords: .*$/m, "");
  return withoutCode
    .split("\n")
    .flatMap((line, index) =>
      phrasesIn(line.replace(/`[^`]*`/g, ""), PHRASES).map(
        ([word, use]) => `${file}:${index + 1}: ${word} → ${use}`,
      ),
    );
}

/** Phrases to find. `any` matches a text that contains one of them: most texts contain none. */
function rulesOf(phrases, flags = "") {
  return {
    any: new RegExp(phrases.map(({ pattern }) => `(?:${pattern})`).join("|"), flags),
    each: phrases.map(({ pattern, use }) => ({ pattern: new RegExp(pattern, flags), use })),
  };
}

function phrasesIn(value, { any, each }) {
  if (!any.test(value)) return [];
  return each.flatMap(({ pattern, use }) => {
    const found = pattern.exec(value);
    return found === null ? [] : [[found[0], use]];
  });
}

function hitsOfName(name) {
  if (!HITS_OF_NAMES.has(name)) {
    HITS_OF_NAMES.set(
      name,
      NAMES.filter((rule) => isHit(rule, name)),
    );
  }
  return HITS_OF_NAMES.get(name);
}

function isHit({ pattern, constant, except }, name) {
  if (except.includes(name)) return false;
  if (constant && name !== name.toUpperCase()) return false;
  return pattern.test(name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase());
}

function isText(node) {
  return (
    ts.isStringLiteral(node) ||
    ts.isNoSubstitutionTemplateLiteral(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddle(node) ||
    ts.isTemplateTail(node) ||
    ts.isJsxText(node)
  );
}

function visit(node, onNode) {
  onNode(node);
  ts.forEachChild(node, (child) => visit(child, onNode));
}

/** Returns all comments of a file. The parser stores them as the trivia of tokens. */
function commentsOf(parsed) {
  const found = new Map();
  visitTokens(parsed, (token) => {
    if (token.kind === ts.SyntaxKind.JsxText) return;
    for (const range of [
      ...(ts.getLeadingCommentRanges(parsed.text, token.pos) ?? []),
      ...(ts.getTrailingCommentRanges(parsed.text, token.end) ?? []),
    ]) {
      found.set(range.pos, range);
    }
  });
  return [...found.values()];
}

function visitTokens(node, onToken) {
  const children = node.getChildren(node.getSourceFile());
  if (children.length === 0) onToken(node);
  for (const child of children) visitTokens(child, onToken);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    options: { words: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  const hits = findGlossaryHits(positionals);
  const failing = hits.filter((hit) => mustFollow(hit.slice(0, hit.indexOf(":"))));
  const shown = values.words ? hits : failing;
  process.stdout.write(shown.map((hit) => `${hit}\n`).join(""));
  process.stdout.write(`${shown.length} words that the glossary replaces\n`);
  process.exitCode = failing.length === 0 ? 0 : 1;
}
