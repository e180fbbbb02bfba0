import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { runShell } from "./run-shell.mjs";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** Calls `work` with the folder of a clean clone of HEAD, and removes it afterwards. */
export async function inCleanClone(work) {
  const folder = mkdtempSync(path.join(tmpdir(), "trunkline-clone-"));
  try {
    await runShell(`git clone --quiet --no-hardlinks "${ROOT}" clone`, { cwd: folder });
    await work(path.join(folder, "clone"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
