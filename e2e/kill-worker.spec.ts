import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { runKillWorkerTest } from "../scripts/lab/kill-test/run-kill-worker-test.mjs";

const KILLS = 3;

test("no webhook is lost, or repeated without need, when workers are killed in the middle of deliveries", async () => {
  const dataDir = path.join(tmpdir(), `trunkline-kill-worker-${process.pid}`);

  const { details, problems } = await runKillWorkerTest({ dataDir, kills: KILLS, say: () => undefined });

  expect(problems).toEqual([]);
  expect(details["answers in flight at a kill"]).toBeGreaterThan(0);
  rmSync(dataDir, { recursive: true, force: true });
});
