// npm run pack: builds Trunkline and packs dist/trunkline-<version>.tgz, an npm package that starts without a build and
// exports trunkline/testing. Its files are staged in dist/package.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { buildIfStale, externalImports } from "./build.mjs";
import { generateApiTypes } from "./generate-api-types.mjs";
import { stageModules } from "./pack/stage-modules.mjs";
import { stagePages } from "./pack/stage-pages.mjs";
import { writeDeclarations } from "./pack/write-declarations.mjs";
import { writeManifest } from "./pack/write-manifest.mjs";
import { hasScalar } from "./provide-scalar.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const STAGED = path.join(root, "dist", "package");
/** Files that the package contains unchanged. */
const FILES = [
  "README.md",
  "CHANGELOG.md",
  "SECURITY.md",
  "next.config.mjs",
  "openapi.json",
  "openapi-simulator.json",
  "dist/scalar",
  "docs",
  "e2e/scenarios",
  "prisma/migrations",
  "prisma/replaced-migrations.json",
  "public",
  "scripts/find-node.mjs",
  "scripts/server-options.mjs",
  "scripts/start.mjs",
  "scripts/trunkline.mjs",
  "scripts/when-parent-ends.mjs",
];

/** Builds and packs. Returns the path of the tarball and its sizes in bytes. */
export async function packPackage() {
  await buildIfStale();
  if (!hasScalar())
    throw new Error("The package needs the script of the API explorer, which is not installed.");
  await generateApiTypes();
  rmSync(STAGED, { recursive: true, force: true });
  mkdirSync(STAGED, { recursive: true });
  for (const file of FILES.filter((one) => existsSync(path.join(root, one)))) {
    cpSync(path.join(root, file), path.join(STAGED, file), { recursive: true });
  }
  const externals = stagePages({ root, folder: STAGED });
  const { bundles, imports } = externalImports();
  for (const bundle of bundles) {
    for (const file of [bundle, `${bundle}.map`]) {
      mkdirSync(path.dirname(path.join(STAGED, file)), { recursive: true });
      cpSync(path.join(root, file), path.join(STAGED, file));
    }
  }
  writeDeclarations({ root, folder: path.join(STAGED, "dist", "testing", "types") });
  const { bin } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  const needed = stageModules({ root, folder: STAGED });
  writeManifest({ root, folder: STAGED, imports: [...imports, ...externals], needed, bin });
  return npmPack();
}

function npmPack() {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", path.dirname(STAGED)];
  const { status, stdout, stderr } = spawnSync("npm", args, {
    cwd: STAGED,
    encoding: "utf8",
    maxBuffer: 64 * 1024 ** 2,
    shell: process.platform === "win32",
  });
  if (status !== 0) throw new Error(`npm pack failed:\n${stderr}`);
  const [{ filename, size, unpackedSize, entryCount }] = JSON.parse(stdout);
  return { tarball: path.join(path.dirname(STAGED), filename), size, unpackedSize, files: entryCount };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { tarball, size, unpackedSize, files } = await packPackage();
  const megabytes = (bytes) => (bytes / 1024 ** 2).toFixed(1);
  process.stdout.write(
    `${path.relative(process.cwd(), tarball)}: ${megabytes(size)} MB, ${megabytes(unpackedSize)} MB unpacked, ${files} files\n`,
  );
}
