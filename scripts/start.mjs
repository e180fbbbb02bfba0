// npm start: builds if needed, then replaces this process with the server. `--dev`: with Next's live reload.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const [major = 0] = process.versions.node.split(".").map(Number);
if (major < 24) {
  process.stderr.write("Trunkline requires Node 24, which `npm install` installs. Run `npm start`.\n");
  process.exit(1);
}

const development = process.argv.includes("--dev");
const { buildIfStale } = await import("./build.mjs");
await buildIfStale({ pages: !development });

const args = ["--enable-source-maps", fileURLToPath(new URL("../dist/server.mjs", import.meta.url))];
const env = {
  ...process.env,
  NODE_ENV: development ? "development" : "production",
  NEXT_TELEMETRY_DISABLED: "1",
  // DNS lookups share these threads with file access and hashing, so a few hanging lookups must not block the rest.
  UV_THREADPOOL_SIZE: process.env.UV_THREADPOOL_SIZE ?? "16",
};
process.chdir(fileURLToPath(new URL("..", import.meta.url)));
if (process.platform === "win32") runAsChild();
else process.execve(process.execPath, [process.execPath, ...args], env);

// Windows can't replace a process with another program.
function runAsChild() {
  const server = spawn(process.execPath, args, { stdio: "inherit", env });
  process.on("SIGINT", () => undefined);
  process.on("SIGTERM", () => server.kill("SIGTERM"));
  server.on("exit", (code) => process.exit(code ?? 1));
}
