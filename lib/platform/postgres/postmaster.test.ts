import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { dataFolder } from "./create-cluster.ts";
import type { PostgresHome } from "./postgres-home.ts";
import { stopPostmaster } from "./postmaster.ts";

let home: PostgresHome;
let server: ChildProcess | undefined;

beforeEach(() => {
  const directory = mkdtempSync(path.join(tmpdir(), "trunkline-postmaster-"));
  home = { dataDir: directory, directory, user: undefined, adminPassword: "", appPassword: "" };
  mkdirSync(dataFolder(home));
});
afterEach(() => {
  server?.kill("SIGKILL");
  rmSync(home.dataDir, { recursive: true });
});

test.runIf(process.platform === "linux")(
  "a server that still closes its files does not count as stopped",
  async () => {
    // Stands in for the server. Linux frees its deleted file after it has released the working directory.
    const script = "exec 3> big; rm big; head -c 400000000 /dev/zero >&3; echo ready; read -r _";
    const child = spawn("/bin/sh", ["-c", script], { cwd: dataFolder(home) });
    server = child;
    await once(child.stdout, "data");
    const pid = child.pid ?? 0;

    const binaries = { postgres: "", initdb: "", pgCtl: "" };
    await stopPostmaster({ home, binaries, settings: {} }, { pid });

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
