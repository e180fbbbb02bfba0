import "server-only";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";

/** Trunkline's npm package contains the script. A clone installs the package that it is from. */
const PACKAGE = path.resolve(
  existsSync("dist/scalar") ? "dist/scalar" : "node_modules/@scalar/api-reference",
);

/** The file with the script of the API explorer. */
export const SCALAR_FILE = path.join(PACKAGE, "dist/browser/standalone.js");

/** The URL of the script of the API explorer. It names the version, so that browsers can keep the script. */
export function scalarUrl(): string {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(path.join(PACKAGE, "package.json"), "utf8")));
  return `/docs/scalar.js?v=${version}`;
}
