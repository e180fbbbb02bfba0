// npx node scripts/lab/transport-outage.mjs [--seconds 60]: takes the peer of each transport away under load and brings it back.
// Then checks that no message was lost or sent twice, and that each chat kept its order.
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { seconds: { type: "string", default: "60" } } });
const { status } = spawnSync("npx", ["vitest", "run", "lib/lines/connections/transport-outage.test.ts"], {
  stdio: "inherit",
  env: { ...process.env, OUTAGE_SECONDS: values.seconds, UNTIL_LIMIT_MS: "420000" },
});
process.exit(status ?? 1);
