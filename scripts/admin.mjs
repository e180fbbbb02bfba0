// npm run admin: builds the admin command if needed and runs it.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { bundleIfMissing } from "./build.mjs";

await bundleIfMissing();
const command = fileURLToPath(new URL("../dist/admin.mjs", import.meta.url));
const result = spawnSync(process.execPath, ["--enable-source-maps", command, ...process.argv.slice(2)], {
  stdio: "inherit",
});
process.exit(result.status ?? 1);
