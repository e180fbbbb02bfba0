import { execFile } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { firstRun } from "./test-instance";

const run = promisify(execFile);

/**
 * Runs a recorded test file against the instance under test, with Trunkline's own sources in place of the package.
 * Rejects with the output of a test that fails.
 */
export async function replay(file: string): Promise<void> {
  const name = path.resolve("test-results", `recorded-${process.pid}-${Date.now()}`);
  writeFileSync(`${name}.test.ts`, file);
  try {
    await build({
      entryPoints: [`${name}.test.ts`],
      outfile: `${name}.mjs`,
      bundle: true,
      platform: "node",
      format: "esm",
      target: "node22",
      packages: "external",
      alias: { vitest: "node:test", "trunkline/testing": path.resolve("lib/testkit/testing.ts") },
    });
    const { base_url, token } = firstRun();
    await run(process.execPath, [`${name}.mjs`], {
      env: { ...process.env, TRUNKLINE_URL: base_url, TRUNKLINE_TOKEN: token, NODE_OPTIONS: "" },
    });
  } finally {
    for (const ending of [".test.ts", ".mjs"]) rmSync(`${name}${ending}`, { force: true });
  }
}
