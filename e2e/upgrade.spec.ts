import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { openCluster } from "../scripts/instance/open-cluster.mjs";
import { checkOutVersion, hasVersion } from "../scripts/lab/upgrade/check-out-version.mjs";
import { runUpgrade } from "../scripts/lab/upgrade/run-upgrade.mjs";

/** The commit of the release before this one, and the packages that only it needs. */
const BEFORE = "41d88fad";
const PACKAGES = ["pg-boss@12.35.0"];

test("the release before runs on the new schema, and is replaced under load without losing a message in either direction", async () => {
  test.skip(!hasVersion(BEFORE), `this clone has no history: ${BEFORE} is missing`);
  const dataDir = path.join(tmpdir(), `trunkline-upgrade-${process.pid}`);
  const version = checkOutVersion(BEFORE, { packages: PACKAGES });
  const cluster = await openCluster(dataDir);
  try {
    // Other tests run meanwhile. `npx node scripts/lab/upgrade-under-load.mjs` does the same under full load.
    const result = await runUpgrade({ cluster, cwd: version.cwd, pauseMs: 100 });
    expect(result.migrations).toBeGreaterThan(1);
    expect(result.accepted.length).toBeGreaterThan(100);
    expect(result, result.logs.join("\n")).toMatchObject({ failures: [], unsent: 0, unreported: 0 });
    expect(result.inbound.accepted).toBeGreaterThan(30);
    expect(result.inbound).toMatchObject({ lost: 0, doubled: 0, unreported: 0, repeated: 0 });
  } finally {
    await cluster.close();
    version.remove();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
