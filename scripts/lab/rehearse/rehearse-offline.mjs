import { spawnSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { inCleanClone } from "./clone-repository.mjs";
import { runShell } from "./run-shell.mjs";

const INSIDE = fileURLToPath(new URL("start-without-network.mjs", import.meta.url));

/**
 * Installs a clean clone, then starts it in a network namespace that has only the loopback interface: the API answers
 * while the dashboard is still being built, and the dashboard is built. Needs Linux with `unshare` and `ip`.
 */
export async function rehearseOffline({ step }) {
  for (const [tool, version] of [
    ["unshare", "--version"],
    ["ip", "-Version"],
  ]) {
    if (spawnSync(tool, [version]).status !== 0)
      throw new Error(`${tool} is missing (Debian: util-linux, iproute2)`);
  }
  const namespace = process.getuid() === 0 ? "unshare --net" : "unshare --net --map-root-user";
  await inCleanClone(async (clone) => {
    await step("git clone and npm install", () =>
      runShell("npm install --no-audit --no-fund", { cwd: clone }),
    );
    const inside = `ip link set lo up && "${process.execPath}" "${INSIDE}" "${path.resolve(clone)}"`;
    const output = await step("npm start without a network", () =>
      runShell(`${namespace} sh -ec '${inside}'`, { cwd: clone }),
    );
    process.stdout.write(output.replace(/^/gm, "    "));
  });
}
