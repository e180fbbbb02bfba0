// npx node scripts/lab/boot-image.mjs: builds the root file system of the Dockerfile's last stage without a container engine, and
// runs a web process and two workers in it as compose.yaml does, as the image's user, on a PostgreSQL server outside.
// Checks the user, the sentence of a start without settings, the health checks, the doctor, a message that is delivered, that
// the process can't change its own program, and that SIGTERM ends it with 0. Prints the sizes. Requires root and
// debootstrap (apt install debootstrap).

import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startEmbeddedPostgres } from "../../lib/platform/postgres/embedded-postgres.ts";
import { buildRoot } from "../image/build-root.mjs";
import { readDockerfile } from "../image/read-dockerfile.mjs";
import { callInstance } from "../instance/call-instance.mjs";
import { findFreePort } from "../instance/find-free-port.mjs";
import { readFirstRun } from "../instance/open-instance.mjs";
import { stageImage } from "../pack/stage-image.mjs";
import { packPackage } from "../pack.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const LIMIT_BYTES = 400_000_000;
const READY_MS = 90_000;
const DELIVERED_MS = 30_000;

if (process.getuid?.() !== 0 || spawnSync("debootstrap", ["--version"]).status !== 0) {
  process.stdout.write("Run as root with debootstrap installed (apt install debootstrap).\n");
  process.exit(1);
}
const dockerfile = readDockerfile(readFileSync(path.join(ROOT, "Dockerfile"), "utf8"));
const directory = mkdtempSync(path.join(os.tmpdir(), "trunkline-image-"));
chmodSync(directory, 0o755);
const root = path.join(directory, "root");
const problems = [];
const check = (name, isTrue, detail = "") => {
  process.stdout.write(`${isTrue ? "ok  " : "FAIL"} ${name}\n`);
  if (!isTrue) problems.push(`${name} ${detail}`);
};
const processes = [];
let postgres;
try {
  check("the Node of this run is the image's", process.version === `v${dockerfile.node}`, process.version);
  await packPackage();
  const sizes = buildRoot({
    root,
    dockerfile,
    node: process.execPath,
    staged: path.join(ROOT, stageImage().folder),
  });
  postgres = await startEmbeddedPostgres({ dataDir: path.join(directory, "postgres") });
  await tryOut();
  const all = sizes.base + sizes.node + sizes.app;
  const megabytes = (bytes) => `${Math.round(bytes / 1e6)} MB`;
  process.stdout.write(
    `\n${megabytes(all)}: Debian ${megabytes(sizes.base)}, Node ${megabytes(sizes.node)}, Trunkline ${megabytes(sizes.app)}\n`,
  );
  check("the image is smaller than 400 MB", all < LIMIT_BYTES);
} catch (error) {
  problems.push(error.stack);
} finally {
  for (const each of processes) each.kill("SIGKILL");
  await postgres?.stop();
  rmSync(directory, { recursive: true, force: true });
}
for (const problem of problems) process.stdout.write(`PROBLEM  ${problem}\n`);
process.exit(problems.length === 0 ? 0 : 1);

async function tryOut() {
  const [port, ...metricsPorts] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const settings = {
    DATABASE_URL: postgres.url,
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    BASE_URL: `http://localhost:${port}`,
    SEED_DEMO: "1",
    HOST: "127.0.0.1",
    PORT: String(port),
  };
  const web = { ...settings, ROLE: "web" };
  const workers = metricsPorts.map((each) => ({ ...settings, ROLE: "worker", METRICS_PORT: String(each) }));

  check("the user is not root", runOnce(["id", "-u"]).stdout.trim() === dockerfile.user.split(":")[0]);
  const bare = runOnce(dockerfile.command);
  check(
    "a start without settings names DATABASE_URL",
    bare.status !== 0 && /DATABASE_URL/.test(bare.stderr + bare.stdout),
    bare.stderr + bare.stdout,
  );
  const running = [start(web)];
  await healthy(web);
  for (const worker of workers) running.push(start(worker));
  for (const worker of workers) await healthy(worker);
  check("one web process and two workers are healthy", true);
  const doctor = runOnce(["node", "dist/admin.mjs", "doctor"], settings);
  check("the doctor finds nothing", doctor.status === 0, doctor.stdout + doctor.stderr);
  check("a message is delivered", await deliverMessage(port));
  const program = path.posix.join(dockerfile.workdir, "dist/server.mjs");
  check("the process can't change its program", runOnce(["sh", "-c", `: >> ${program}`]).status !== 0);
  for (const child of running) child.kill("SIGTERM");
  const codes = await Promise.all(running.map((child) => child.exited));
  check(
    "SIGTERM ends each process with 0",
    codes.every((code) => code === 0),
    codes.join(", "),
  );
}

/**
 * The arguments of `unshare` that run a command in the image as its user, in its working directory, with its environment,
 * and with a /proc that is gone when the command ends.
 */
function inImage(args, env) {
  const all = Object.entries({ PATH: "/usr/local/bin:/usr/bin:/bin", ...dockerfile.env, ...env });
  const set = all.map(([name, value]) => `${name}=${value}`);
  const mounted = `mount -t proc proc "$0/proc" && exec chroot "$@"`;
  const inFolder = `cd ${dockerfile.workdir} && exec "$@"`;
  const asUser = [`--userspec=${dockerfile.user}`, root, "/usr/bin/env", "-i", ...set];
  return ["--mount", "sh", "-c", mounted, root, ...asUser, "/bin/sh", "-c", inFolder, "sh", ...args];
}

function runOnce(args, env = {}) {
  return spawnSync("unshare", inImage(args, env), { encoding: "utf8" });
}

function start(env) {
  const child = spawn("unshare", inImage(dockerfile.command, env), { stdio: ["ignore", "pipe", "pipe"] });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => output.push(bytes));
  child.exited = once(child, "exit").then(([code]) => {
    if (code !== 0) problems.push(`${env.ROLE} exited with ${code}:\n${Buffer.concat(output)}`);
    return code;
  });
  processes.push(child);
  return child;
}

async function healthy(env) {
  const until = performance.now() + READY_MS;
  for (;;) {
    const { status, stderr } = runOnce(dockerfile.healthcheck, env);
    if (status === 0) return;
    if (performance.now() > until) throw new Error(`the health check of ${env.ROLE} fails: ${stderr}`);
    await sleep(500);
  }
}

async function deliverMessage(port) {
  const { token, line, phone } = readFirstRun(path.join(root, dockerfile.env.DATA_DIR));
  const instance = { baseUrl: `http://127.0.0.1:${port}`, token };
  const { chat } = await callInstance(instance, "POST /v3/chats", {
    from: line,
    to: [phone],
    message: { parts: [{ type: "text", value: "Hello from the image" }] },
  });
  const until = performance.now() + DELIVERED_MS;
  for (;;) {
    const { delivery_status: status } = await callInstance(instance, `GET /v3/messages/${chat.message.id}`);
    if (status === "delivered" || status === "read") return true;
    if (performance.now() > until) return false;
    await sleep(100);
  }
}
