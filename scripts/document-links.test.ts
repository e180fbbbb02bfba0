import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

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

/** The anchors that GitHub gives the headings of a document. */
function anchorsOf(file: string): string[] {
  return [...readFileSync(file, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-"),
  );
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

test("every document in docs/ is linked from the README", () => {
  const linked = new Set(linksOf("README.md").map(({ target }) => target));
  expect(globSync("docs/*.md").filter((file) => !linked.has(file))).toEqual([]);
});
