import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readCodeBlocks } from "@/scripts/lab/rehearse/read-code-blocks.mjs";

test("the blocks of one section are read, in order, with the file that a comment names", () => {
  const markdown =
    "## One\n```sh\na\n```\n## Two\ntext\n```js\n// b.mjs\nb();\n```\n\n```sh\nc\nd\n```\n## Three\n";
  expect(readCodeBlocks(markdown, "Two")).toEqual([
    { language: "js", code: "// b.mjs\nb();\n", file: "b.mjs" },
    { language: "sh", code: "c\nd\n", file: undefined },
  ]);
  expect(() => readCodeBlocks(markdown, "Four")).toThrow('there is no section "Four"');
});

test("the README has the blocks that the rehearsal runs", () => {
  const readme = readFileSync("README.md", "utf8");
  expect(readCodeBlocks(readme, "Start").map(({ language }) => language)).toEqual(["sh"]);
  expect(readCodeBlocks(readme, "Send a message").map(({ language, file }) => [language, file])).toEqual([
    ["sh", undefined],
    ["js", "hello.mjs"],
  ]);
  expect(readCodeBlocks(readme, "Receive a webhook").map(({ language, file }) => [language, file])).toEqual([
    ["js", "webhook.mjs"],
    ["sh", undefined],
    ["sh", undefined],
  ]);
  expect(readCodeBlocks(readme, "Answer a person").map(({ language, file }) => [language, file])).toEqual([
    ["js", "agent.mjs"],
    ["sh", undefined],
    ["sh", undefined],
    ["sh", undefined],
  ]);
});
