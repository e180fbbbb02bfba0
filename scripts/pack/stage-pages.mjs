import { cpSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Parts of a build that only further builds and deployments without node_modules read. */
const LEFT_OUT = new Set([
  "cache",
  "build",
  "diagnostics",
  "node_modules",
  "trace",
  "trace-build",
  "turbopack",
  "types",
]);

/**
 * Copies Next's build from `root` into `folder`, without source maps and without paths of this machine. Next names an
 * external package by its name and a hash, and links that name in its own node_modules, which npm does not pack: the
 * copy imports the packages by their names. Returns these names.
 */
export function stagePages({ root, folder }) {
  const from = path.join(root, ".next");
  const links = externalLinks(path.join(from, "node_modules"));
  const to = path.join(folder, ".next");
  cpSync(from, to, {
    recursive: true,
    filter: (file) => isKept(path.relative(from, file)),
  });
  for (const file of filesBelow(to)) rewrite(file, links, path.resolve(root));
  return [...links.values()];
}

function isKept(file) {
  return !LEFT_OUT.has(file.split(path.sep)[0]) && !/\.(map|nft\.json)$/.test(file);
}

/** The package of each hashed name. */
function externalLinks(folder) {
  const links = new Map();
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const scoped = entry.isDirectory() ? readdirSync(path.join(folder, entry.name)) : [undefined];
    for (const inner of scoped) {
      const link = inner === undefined ? entry.name : `${entry.name}/${inner}`;
      const real = realpathSync(path.join(folder, link));
      links.set(link, JSON.parse(readFileSync(path.join(real, "package.json"), "utf8")).name);
    }
  }
  return links;
}

function rewrite(file, links, root) {
  if (!/\.(js|mjs|cjs|json)$/.test(file)) return;
  const before = readFileSync(file, "utf8");
  let after = before.replaceAll(root, ".");
  for (const [link, name] of links) after = after.replaceAll(link, name);
  after = after.replaceAll(/\n\/\/# sourceMappingURL=.*\s*$/g, "\n");
  if (after !== before) writeFileSync(file, after);
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}
