import { expect, test } from "vitest";
import { parseCommandLine } from "@/scripts/admin/command-line";

test.each([
  [["connect-line", "--line", "7", "--file", "a.json"]],
  [["connect-line", "--file=a.json", "--line=7"]],
  [["connect-line", "a.json", "--line", "7"]],
  [["--line", "7", "connect-line", "a.json"]],
])("%j names the command, the line and the file", (args) => {
  expect(parseCommandLine(args)).toEqual({ command: "connect-line", options: { line: "7", file: "a.json" } });
});

test("without arguments there is no command", () => {
  expect(parseCommandLine([])).toMatchObject({ command: null });
});
