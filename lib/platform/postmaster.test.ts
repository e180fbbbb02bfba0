import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dataFolder } from "./create-cluster.ts";
import { findPostgresBinaries } from "./postgres-binaries.ts";
import { openPostgresHome } from "./postgres-home.ts";
import { stopPostmaster } from "./postmaster.ts";

let dataDir: string;

beforeAll(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), "trunkline-postmaster-"));
});
afterAll(() => rmSync(dataDir, { recursive: true }));

test.runIf(process.platform === "linux")(
  "a server that is exiting and still closes its files is not stopped yet",
  async () => {
    const home = openPostgresHome(dataDir, () => undefined);
    mkdirSync(dataFolder(home));
    // Stands in for the server: Linux frees the deleted file after the process has lost its working directory.
    const script = "exec 3> big; rm big; head -c 400000000 /dev/zero >&3; echo ready; while :; do :; done";
    const child = spawn("/bin/sh", ["-c", script], { cwd: dataFolder(home) });
    await once(child.stdout, "data");
    const pid = child.pid ?? 0;

    await stopPostmaster(
      { home, binaries: await findPostgresBinaries(undefined), settings: {} },
      { pid, port: 0 },
    );

    expect(stateOf(pid)).toMatch(/^(dead|gone)$/);
  },
);

function stateOf(pid: number): string {
  try {
    const [, state = ""] = /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    return "ZX".includes(state) ? "dead" : `alive (${state})`;
  } catch {
    return "gone";
  }
}
