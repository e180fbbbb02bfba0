import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { isUnused } from "./unused-files.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PACKAGE = path.join(ROOT, "dist", "package");
const IMAGE = path.join(ROOT, "dist", "image");
/** Scripts that only a container needs. */
const SCRIPTS = ["scripts/healthcheck.mjs"];

/**
 * Copies the package that `npm run pack` staged to dist/image and installs its production dependencies there, in the
 * versions of package-lock.json. The image brings its own Node, and PostgreSQL runs elsewhere, so the packages of both
 * are left out. Returns the folder and its size in bytes. Throws an Error with npm's output if the install fails.
 */
export function stageImage() {
  rmSync(IMAGE, { recursive: true, force: true });
  cpSync(PACKAGE, IMAGE, {
    recursive: true,
    filter: (file) => file !== path.join(PACKAGE, "node_modules"),
  });
  for (const script of SCRIPTS) cpSync(path.join(ROOT, script), path.join(IMAGE, script));
  cpSync(path.join(ROOT, "package-lock.json"), path.join(IMAGE, "package-lock.json"));
  writeManifest();
  install();
  const modules = path.join(IMAGE, "node_modules");
  for (const file of filesBelow(modules)) {
    if (isUnused(path.relative(modules, file).split(path.sep).join("/"))) rmSync(file);
  }
  const bytes = filesBelow(IMAGE).reduce((sum, file) => sum + statSync(file).size, 0);
  return { folder: path.relative(ROOT, IMAGE), bytes };
}

/**
 * The package.json of the image, from that of the npm package and the repository's: without the packages that the image
 * brings itself or that were packed with it, and with the overrides of its dependencies. Without them npm refuses peers that the repository replaces.
 */
export function imageManifest(
  { optionalDependencies: _own, bundleDependencies: _packed, ...manifest },
  repository,
) {
  const known = Object.entries(repository.overrides).filter(([name]) => name in manifest.dependencies);
  return { ...manifest, overrides: Object.fromEntries(known) };
}

function writeManifest() {
  const file = path.join(IMAGE, "package.json");
  const read = (from) => JSON.parse(readFileSync(from, "utf8"));
  const manifest = imageManifest(read(file), read(path.join(ROOT, "package.json")));
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
}

function install() {
  const args = ["install", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"];
  const { status, stdout, stderr } = spawnSync("npm", args, {
    cwd: IMAGE,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (status !== 0) throw new Error(`npm install failed:\n${stdout}\n${stderr}`);
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}
