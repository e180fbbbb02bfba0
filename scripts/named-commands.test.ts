import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Command } from "commander";
import { expect, test } from "vitest";
import packageJson from "@/package.json";
import { COMMANDS, COMMANDS_APART, USAGE } from "@/scripts/admin/commands";
import { createProgram } from "@/scripts/cli/run-cli";

/** Pages, docs, errors and commands, which name commands that people type. */
const PLACES = ["app", "components", "docs", "lib", "ops", "scripts"];
const FILES = ["CHANGELOG.md", "CONTRIBUTING.md", "README.md", "SECURITY.md", "compose.yaml"];
const TEXT = /\.(md|mjs|ts|tsx|ya?ml)$/;
const GENERATED = /(^lib\/platform\/prisma\/|\.test\.tsx?$)/;

const sources = [
  ...FILES,
  ...PLACES.flatMap((place) =>
    readdirSync(place, { recursive: true, encoding: "utf8" }).map((file) => path.join(place, file)),
  ),
]
  .filter((file) => TEXT.test(file) && !GENERATED.test(file))
  .map((file) => ({ file, text: readFileSync(file, "utf8") }));

/** The command lines that begin with a prefix: what follows it, up to the end of the code or the line. */
function namedAfter(prefix: RegExp): { file: string; words: string[] }[] {
  return sources.flatMap(({ file, text }) =>
    [...text.matchAll(prefix)].map(({ index, 0: found }) => ({
      file,
      words: (/^[^`"'<>\\\n;|&)#…]*/.exec(text.slice(index + found.length))?.[0] ?? "").trim().split(/\s+/),
    })),
  );
}

const optionsOf = (words: readonly string[]) =>
  words.flatMap((word) => /^(--[a-z][a-z-]*)/.exec(word)?.[1] ?? []);

/** The help of each command of `npm run admin`: its line and the indented lines below. */
const adminHelp = new Map(
  USAGE.split(/\n(?= {2}\S)/).flatMap((entry) => {
    const name = /^ {2}([a-z0-9-]+)/.exec(entry)?.[1];
    return name === undefined ? [] : [[name, entry]];
  }),
);

test("every npm script that is named exists", () => {
  const named = namedAfter(/npm run (?=[a-z])/g);
  expect(named.length).toBeGreaterThan(50);
  const wrong = named.filter(
    ({ words: [name = ""] }) => !(name.replace(/[.,:]$/, "") in packageJson.scripts),
  );
  expect(wrong).toEqual([]);
});

test("the help lists exactly the commands of npm run admin", () => {
  expect([...adminHelp.keys()].sort()).toEqual(Object.keys({ ...COMMANDS, ...COMMANDS_APART }).sort());
});

test("every command of npm run admin that is named exists, with its options", () => {
  const named = namedAfter(/npm run admin -- (?=[a-z])/g);
  expect(named.length).toBeGreaterThan(30);
  const wrong = named.filter(({ words: [name = "", ...rest] }) => {
    const help = adminHelp.get(name.replace(/[.,:]$/, ""));
    return help === undefined || optionsOf(rest).some((option) => !help.includes(option));
  });
  expect(wrong).toEqual([]);
});

test("every command of trunkline that is named exists, with its options", () => {
  const named = namedAfter(/(?:npx |[`$] ?|^ *)trunkline (?=[a-z-]+ ?)/gm).filter(
    ({ words: [name = "", value] }) => /^[a-z]+$/.test(name) && !isProse(name) && !value?.startsWith("${"),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ words }) => !isKnown(createProgram(), words))).toEqual([]);
});

/** Sentences about Trunkline at the start of a line: "trunkline starts an instance". */
function isProse(name: string): boolean {
  return ["starts", "is", "in", "on", "and", "for", "by", "with"].includes(name);
}

function isKnown(program: Command, words: readonly string[]): boolean {
  const [name = "", ...rest] = words;
  const command = name === "help" ? program : program.commands.find((one) => one.name() === name);
  if (command === undefined) return false;
  const child = command.commands.find((one) => one.name() === rest[0]);
  const known = [program, command, ...(child === undefined ? [] : [child])].flatMap(({ options }) =>
    options.map(({ long }) => long),
  );
  return optionsOf(words).every((option) => ["--help", "--version", ...known].includes(option));
}
