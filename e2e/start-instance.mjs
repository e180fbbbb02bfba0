// Starts an instance under test without the data of an earlier run, which would be in the way: an audit, for example, is
// allowed once an hour. Builds its pages first, which `npm start` would do in the background.
import { rmSync } from "node:fs";
import { buildIfStale } from "../scripts/build.mjs";

rmSync(process.env.DATA_DIR, { recursive: true, force: true });
await buildIfStale();
await import("../scripts/start.mjs");
