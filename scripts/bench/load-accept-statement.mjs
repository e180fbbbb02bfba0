import { rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { withoutServerOnly } from "../build.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
// Beside the other bundles, where its imports of packages are found.
const BUNDLE = path.join(ROOT, "dist", "accept-statement.mjs");

/** The text of the statement that accepts one send, from the server's source. */
export async function loadAcceptStatement() {
  await build({
    entryPoints: [fileURLToPath(new URL("accept-statement.ts", import.meta.url))],
    outfile: BUNDLE,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    plugins: [withoutServerOnly],
    logLevel: "warning",
  });
  try {
    const { ACCEPT_ONE } = await import(pathToFileURL(BUNDLE).href);
    return ACCEPT_ONE.text;
  } finally {
    rmSync(BUNDLE, { force: true });
  }
}
