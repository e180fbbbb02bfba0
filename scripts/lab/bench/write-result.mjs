import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../../../bench-results", import.meta.url));

/**
 * Writes a result to `bench-results/<time><suffix>`: strings as text, other values as JSON. Returns the path of the
 * file, relative to the working directory.
 */
export function writeResult(result, suffix = ".json") {
  mkdirSync(FOLDER, { recursive: true });
  const time = new Date().toISOString().replaceAll(":", "-").slice(0, 19);
  const file = path.join(FOLDER, `${time}${suffix}`);
  writeFileSync(file, typeof result === "string" ? `${result}\n` : `${JSON.stringify(result, null, 2)}\n`);
  return path.relative(process.cwd(), file);
}
