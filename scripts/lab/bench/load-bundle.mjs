import { rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { withoutServerOnly } from "../../build.mjs";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** Bundles a TypeScript file of the server's source and returns its exports. */
export async function loadBundle(source) {
  const entry = fileURLToPath(source);
  // Written next to the other bundles, where its package imports can be resolved.
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
