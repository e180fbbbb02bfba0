import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import packageJson from "@/package.json";
import { COMMANDS, COMMANDS_APART } from "@/scripts/admin/commands";

const DOCUMENTS = globSync(["*.md", "docs/*.md", "docs/decisions/*.md"]).sort();

/** The links of a document to files of the repository. URLs and paths of the in-app documentation are not among them. */
function linksOf(file: string): { file: string; target: string; anchor: string | undefined }[] {
  const prose = readFileSync(file, "utf8").replaceAll(/^```[\s\S]*?^```/gm, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = ""]) => link)
    .filter((link) => !/^[a-z]+:|^\//.test(link))
    .map((link) => {
      const [target = "", anchor] = link.split("#");
      return { file, target: target === "" ? file : path.join(path.dirname(file), target), anchor };
    });
}

/** The anchors of a document: those that GitHub or a heading's `{#id}` gives the headings, and those written as HTML. */
function anchorsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  const written = [...text.matchAll(/<a id="([^"]+)">|^#+ .*\{#([^}]+)\}$/gm)].map(
    ([, id, own]) => id ?? own ?? "",
  );
  const titles = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-"),
  );
  return [...written, ...titles];
}

test("every link between the documents of the repository leads to a file and a heading that exist", () => {
  const links = DOCUMENTS.flatMap(linksOf);
  expect(links.length).toBeGreaterThan(100);
  const wrong = links.filter(
    ({ target, anchor }) =>
      !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor)),
  );
  expect(wrong).toEqual([]);
});

const FOLDERS = ["app", "components", "docs", "e2e", "lib", "ops", "prisma", "scripts"];
const FILES = globSync(["*", `{${FOLDERS.join(",")}}/**/*`]);
/** A path from the root of the repository: a file, with or without its extension, a folder or a pattern. */
const WHOLE = new RegExp(`^(?:${FOLDERS.join("|")})/[\\w./()[\\]*-]+$`);
/** The end of the path of a script. */
const END = /^[\w./-]+\.(?:ts|tsx|mjs)$/;
/** Files that readers write, that a build makes, or that a decision rejects. */
const NOT_HERE = /^(?:agent\.mjs|hello\.mjs|webhook\.mjs|\.generated\/.*|proxy\.ts|index\.ts)$/;

function exists(named: string): boolean {
  if (["", ".ts", ".tsx"].some((extension) => existsSync(`${named}${extension}`))) return true;
  return WHOLE.test(named) ? globSync(named).length > 0 : FILES.some((file) => file.endsWith(`/${named}`));
}

test("every path that a document names exists", () => {
  const named = DOCUMENTS.filter((file) => file !== "CHANGELOG.md").flatMap((file) => {
    const prose = readFileSync(file, "utf8").replaceAll(/^```[\s\S]*?^```/gm, "");
    return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, path = ""]) => ({ file, path }));
  });
  const paths = named.filter(({ path }) => (WHOLE.test(path) || END.test(path)) && !NOT_HERE.test(path));
  expect(paths.length).toBeGreaterThan(200);
  expect(paths.filter(({ path }) => !exists(path))).toEqual([]);
});

test("every document in docs/ is linked from the README", () => {
  const linked = new Set(linksOf("README.md").map(({ target }) => target));
  expect(globSync("docs/*.md").filter((file) => !linked.has(file))).toEqual([]);
});

test("every command of npm that a document, a page or an error names exists", () => {
  const text = [...DOCUMENTS, ...globSync("{app,components,docs/site,lib,ops}/**/*.{md,ts,tsx,yml}")]
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
  const named = (prefix: RegExp) => new Set([...text.matchAll(prefix)].map(([, name = ""]) => name));
  const scripts = named(/npm run ([a-z][a-z0-9:-]*)/g);
  const admin = named(/npm run admin -- ([a-z][a-z0-9-]*)/g);

  expect([...scripts].filter((name) => !(name in packageJson.scripts))).toEqual([]);
  expect([...admin].filter((name) => !(name in { ...COMMANDS, ...COMMANDS_APART }))).toEqual([]);
  expect(Math.min(scripts.size, admin.size)).toBeGreaterThan(10);
});
