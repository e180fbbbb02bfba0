// Starts an instance under test without the data of an earlier run, which would be in the way: an audit, for example, is
// allowed once an hour.
import { rmSync } from "node:fs";

rmSync(process.env.DATA_DIR, { recursive: true, force: true });
await import("../scripts/start.mjs");
