import { rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { withoutServerOnly } from "../build.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The exports of a TypeScript file, bundled from the server's source. */
export async function loadBundle(source) {
  const entry = fileURLToPath(source);
  // Beside the other bundles, where its imports of packages are found.
  const bundle = path.join(ROOT, "dist", `${path.basename(entry, ".ts")}.mjs`);
  await build({
    entryPoints: [entry],
    outfile: bundle,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    plugins: [withoutServerOnly],
    logLevel: "warning",
  });
  try {
    return await import(pathToFileURL(bundle).href);
  } finally {
    rmSync(bundle, { force: true });
  }
}
