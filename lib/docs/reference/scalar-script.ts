import "server-only";
import { readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";

/** The package that the script is from, without all that no page loads. A build puts it there (scripts/build.mjs). */
const PACKAGE = path.resolve("dist/scalar");

/** The file with the script of the API explorer. */
export const SCALAR_FILE = path.join(PACKAGE, "dist/browser/standalone.js");

/** The URL of the script of the API explorer. It names the version, so that browsers can keep the script. */
export function scalarUrl(): string {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(path.join(PACKAGE, "package.json"), "utf8")));
  return `/docs/scalar.js?v=${version}`;
}
