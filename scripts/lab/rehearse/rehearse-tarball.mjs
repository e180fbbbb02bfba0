import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { findFreePort } from "../../instance/find-free-port.mjs";
import { runShell, startShell, waitFor } from "./run-shell.mjs";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** From an empty folder and the tarball to the first message on a simulated phone, with the command line alone. */
export async function rehearseTarball({ step }) {
  // npm runs it with the Node.js version that Trunkline builds with.
  const packed = await runShell("npm run --silent pack", { cwd: ROOT });
  const tarball = path.join(ROOT, /^(\S+\.tgz): /m.exec(packed)?.[1]);
  const folder = mkdtempSync(path.join(tmpdir(), "trunkline-newcomer-"));
  const env = { PORT: String(await findFreePort()), TRUNKLINE_CONFIG_DIR: path.join(folder, "config") };
  const options = { cwd: folder, env };
  let instance;
  try {
    await step("npm install of the tarball", () =>
      runShell(`npm init --yes && npm install --no-audit --no-fund "${tarball}"`, options),
    );
    instance = startShell("npx trunkline start", options);
    const demo = await step("trunkline start, until it prints the token", () =>
      waitFor("the first start", instance, async () => {
        const firstRun = JSON.parse(readFileSync(path.join(folder, ".data", "first-run.json"), "utf8"));
        return (await fetch(`${firstRun.base_url}/ready`)).ok ? firstRun : null;
      }),
    );
    await step("trunkline send, until the phone has the message", async () => {
      await runShell(`npx trunkline send "Hello" --to ${demo.phone}`, options);
      const inbox = startShell(`npx trunkline phone ${demo.phone} inbox`, options);
      await inbox.finish();
      if (!inbox.output().includes("Hello")) throw new Error(`the phone has no message:\n${inbox.output()}`);
    });
  } finally {
    await instance?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
