// Checks the production dependencies for security advisories. A high or critical advisory fails the check; a registry
// that does not respond does not.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const PATIENCE_MS = 30_000;
const FAILING = ["high", "critical"];

/** Queries the registry. Returns whether the check passes and a line that explains the result. */
export async function checkAdvisories() {
  const options = { cwd: root, encoding: "utf8", timeout: PATIENCE_MS, maxBuffer: 64 * 1024 * 1024 };
  // npm exits with an error when there are advisories, but still prints the report.
  const answer = await new Promise((resolve) => {
    execFile("npm", ["audit", "--omit=dev", "--json"], options, (_error, stdout) => resolve(stdout));
  });
  return evaluateAdvisories(answer);
}

/** Evaluates the output of `npm audit --json`. Returns whether the check passes and a line that explains the result. */
export function evaluateAdvisories(answer) {
  const report = parse(answer);
  const counts = report?.metadata?.vulnerabilities;
  if (counts === undefined)
    return { passed: true, line: "advisories: not checked because the registry did not respond" };
  const found = Object.entries(report.vulnerabilities ?? {})
    .filter(([, { severity }]) => FAILING.includes(severity))
    .map(([name, { severity }]) => `${name} (${severity})`);
  if (found.length > 0) return { passed: false, line: `advisories: ${found.join(", ")}` };
  return { passed: true, line: `advisories: none high or critical, ${counts.total ?? 0} lower` };
}

function parse(answer) {
  try {
    return JSON.parse(answer);
  } catch {
    return null;
  }
}
