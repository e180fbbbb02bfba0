import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isUnused } from "./unused-files.mjs";

/**
 * The packages of which most is for builds, development or other databases, and one that would bring Next again, whole:
 * Next's compiler alone has 100 MB.
 */
export const TRIMMED = ["next", "next-auth", "@prisma/client"];
/** What only Next's builds need. */
const FOR_BUILDS = ["baseline-browser-mapping", "caniuse-lite", "postcss"];
const FIELDS = [
  "dependencies",
  "devDependencies",
  "optionalDependencies",
  "peerDependencies",
  "peerDependenciesMeta",
  "scripts",
];

/**
 * Copies the trimmed packages from the node_modules of `root` into those of `folder`, without the files that no
 * installation reads. npm packs them with the package (bundleDependencies). Returns the packages that they depend on
 * at run time, with their versions: they become dependencies of the package itself.
 */
export function stageModules({ root, folder }) {
  const needed = {};
  for (const name of TRIMMED) {
    const from = path.join(root, "node_modules", name);
    const to = path.join(folder, "node_modules", name);
    cpSync(from, to, {
      recursive: true,
      filter: (file) => !isUnused(`${name}/${path.relative(from, file).split(path.sep).join("/")}`),
    });
    for (const tool of FOR_BUILDS)
      rmSync(path.join(to, "node_modules", tool), { recursive: true, force: true });
    trim({ root, folder: to, needed });
  }
  return needed;
}

/** Removes the dependencies from the manifest of a package, and adds those that are not inside of its folder to `needed`. */
function trim({ root, folder, needed }) {
  const file = path.join(folder, "package.json");
  const manifest = JSON.parse(readFileSync(file, "utf8"));
  const names = Object.keys(manifest.dependencies ?? {}).filter((name) => !FOR_BUILDS.includes(name));
  for (const name of names) {
    const inner = path.join(folder, "node_modules", name);
    if (existsSync(inner)) trim({ root, folder: inner, needed });
    else needed[name] = installedVersion(root, name);
  }
  for (const field of FIELDS) delete manifest[field];
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
}

function installedVersion(root, name) {
  return JSON.parse(readFileSync(path.join(root, "node_modules", name, "package.json"), "utf8")).version;
}
