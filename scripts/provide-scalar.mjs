import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { installApart, versionApart } from "./install-apart.mjs";

const NAME = "@scalar/api-reference";
/** Where the server finds it, also that of the npm package. */
const SCALAR = fileURLToPath(new URL("../dist/scalar", import.meta.url));

/** Whether the script of the API explorer is there, in its version. */
export function hasScalar() {
  const manifest = path.join(SCALAR, "package.json");
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).version === versionApart(NAME);
}

/**
 * Puts the script of the API explorer into dist/scalar, unless it is there. Without the registry the explorer is the only
 * page that can't be shown, and the next build or start tries again.
 */
export async function provideScalar() {
  if (hasScalar()) return;
  const folder = await installApart(NAME);
  if (folder === null) return;
  const draft = mkdtempSync(`${SCALAR}-`);
  cpSync(folder, draft, { recursive: true });
  rmSync(SCALAR, { recursive: true, force: true });
  renameSync(draft, SCALAR);
}
