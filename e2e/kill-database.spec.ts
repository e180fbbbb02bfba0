import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { runOutageTest } from "../scripts/lab/kill-test/run-outage-test.mjs";

test.describe.configure({ mode: "parallel" });

const RUNS = {
  "only its postmaster is killed": [{ type: "kill" }, { type: "kill" }],
  "it is stopped, or silent": [
    { type: "stop", seconds: 3 },
    { type: "pause", seconds: 3 },
  ],
};

for (const [what, outages] of Object.entries(RUNS)) {
  test(`the service outlives its database when ${what}, and nothing is lost, repeated or invented`, async () => {
    const dataDir = path.join(tmpdir(), `trunkline-outage-${process.pid}-${outages[0]?.type}`);

    const { problems, recoveries } = await runOutageTest({
      dataDir,
      outages,
      say: () => undefined,
      senders: 2,
    });

    expect(problems).toEqual([]);
    expect(recoveries).toHaveLength(outages.length);
    rmSync(dataDir, { recursive: true, force: true });
  });
}
