import { expect, test } from "vitest";
import { parseCommandLine } from "@/scripts/admin/command-line";
import { COMMANDS, COMMANDS_APART, USAGE } from "@/scripts/admin/commands";

test.each([
  [["connect-line", "--line", "7", "--file", "a.json"]],
  [["connect-line", "--file=a.json", "--line=7"]],
  [["connect-line", "a.json", "--line", "7"]],
  [["--line", "7", "connect-line", "a.json"]],
])("%j names the command, the line and the file", (args) => {
  expect(parseCommandLine(args)).toEqual({ command: "connect-line", options: { line: "7", file: "a.json" } });
});

test("an empty command line has no command", () => {
  expect(parseCommandLine([])).toMatchObject({ command: null });
});

test("the help lists exactly the commands that exist", () => {
  const listed = [...USAGE.matchAll(/^ {2}([a-z0-9-]+)/gm)].map(([, name]) => name);
  expect(listed.sort()).toEqual(Object.keys({ ...COMMANDS, ...COMMANDS_APART }).sort());
});
