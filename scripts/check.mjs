// npm run check: format and lint, types, dependency rules, dead code, fresh openapi files, security advisories where the
// registry answers. All run; any failure fails.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { checkAdvisories } from "./advisories.mjs";
import { bundleAll, generateSources } from "./build.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

const CHECKS = [
  { name: "format and lint", command: "biome", args: ["check", "--error-on-warnings", "."] },
  { name: "types", command: "tsc", args: ["--noEmit"] },
  {
    name: "dependency rules",
    command: "depcruise",
    args: ["--config", ".dependency-cruiser.mjs", "app", "components", "lib", "server.ts"],
  },
  { name: "dead code", command: "knip", args: [] },
  { name: "openapi files are fresh", command: process.execPath, args: ["dist/openapi.mjs", "--check"] },
];

/** Runs every check; the names of those that passed and of those that failed. */
export async function runChecks() {
  generateSources();
  await bundleAll();
  const results = CHECKS.map((check) => ({ name: check.name, passed: runCheck(check) }));
  const advisories = checkAdvisories();
  process.stdout.write(`${advisories.passed ? "ok  " : "FAIL"} ${advisories.line}\n`);
  results.push({ name: "security advisories", passed: advisories.passed });
  return {
    passed: results.filter((result) => result.passed).map((result) => result.name),
    failed: results.filter((result) => !result.passed).map((result) => result.name),
  };
}

function runCheck({ name, command, args }) {
  const program = command === process.execPath ? command : path.join(root, "node_modules", ".bin", command);
  const result = spawnSync(program, args, {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, FORCE_COLOR: "0" },
  });
  const passed = result.status === 0;
  process.stdout.write(`${passed ? "ok  " : "FAIL"} ${name}\n`);
  if (!passed) process.stdout.write(`${result.stdout ?? ""}${result.stderr ?? ""}\n`);
  return passed;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { failed } = await runChecks();
  process.exitCode = failed.length === 0 ? 0 : 1;
}
