// npm run scenarios: writes docs/site/guides/scenarios.md, a guide with every e2e/scenarios. `--check` only compares.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const FOLDER = path.join(root, "e2e", "scenarios");
const LIST = path.join(root, "docs", "site", "guides", "scenarios.md");
const HEADER = `---
title: Scenarios
description: One short conversation for each promise of the service, on the test helpers. Copy one as the start of your own test.
keywords: scenario magic handle example
---

Trunkline's own tests run all of these scenarios. Each uses the [test helpers](/docs/guides/test-helpers): \`sim\` is the result of \`createSimulator()\`. Copy the content of \`run\` into a test of yours.
`;

/** The guide with all scenarios, in the order of their titles. */
function writeGuide() {
  const scenarios = readdirSync(FOLDER)
    .map((file) => {
      const source = readFileSync(path.join(FOLDER, file), "utf8");
      return { file, source, ...readScenario(source, file) };
    })
    .sort((left, right) => left.title.localeCompare(right.title, "en"));
  return [HEADER, ...scenarios.map(toSection)].join("\n");
}

function toSection({ file, source, title, promise }) {
  const anchor = path.basename(file, ".ts");
  return `## ${title} {#${anchor}}\n\n${promise}\n\n\`\`\`ts title="${file}"\n${source.trim()}\n\`\`\`\n`;
}

function readScenario(source, file) {
  const [, title] = /title:\s*"([^"]+)"/.exec(source) ?? [];
  const [, promise] = /promise:\s*"([^"]+)"/.exec(source) ?? [];
  if (title === undefined || promise === undefined) throw new Error(`${file} has no title or no promise.`);
  return { title, promise };
}

const wanted = writeGuide();
if (!process.argv.includes("--check")) writeFileSync(LIST, wanted);
else if (!existsSync(LIST) || readFileSync(LIST, "utf8") !== wanted) {
  process.stderr.write("docs/site/guides/scenarios.md is stale: run `npm run scenarios` and commit it.\n");
  process.exitCode = 1;
}
