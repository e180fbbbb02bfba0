// npm run admin: builds the admin command if needed and runs it.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const command = fileURLToPath(new URL("../dist/admin.mjs", import.meta.url));
// Loading the build takes half a second of processor time.
if (!existsSync(command)) await (await import("./build.mjs")).bundleIfMissing();
const result = spawnSync(process.execPath, ["--enable-source-maps", command, ...process.argv.slice(2)], {
  stdio: "inherit",
});
process.exit(result.status ?? 1);
