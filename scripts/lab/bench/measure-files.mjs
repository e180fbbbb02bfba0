import { execFile } from "node:child_process";
import { randomFillSync } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { request } from "undici";
import { callInstance } from "../../instance/call-instance.mjs";
import { findFreePort } from "../../instance/find-free-port.mjs";
import { startProcess } from "../../instance/start-process.mjs";
import { cpuSeconds } from "./cpu-seconds.mjs";
import { orderOf } from "./statistics.mjs";

const run = promisify(execFile);
const BARE_FILES = fileURLToPath(new URL("bare-files.mjs", import.meta.url));
const MEGABYTE = 1e6;

/**
 * Measures uploads (create, PUT, check) and downloads through the server in MB/s, one at a time. Compared with `cp` of
 * the same bytes and a minimal Node server that streams them to and from a file. One row per round and contender.
 */
export async function measureFiles({ server, tenant, folder, megabytes, rounds, report }) {
  mkdirSync(folder, { recursive: true });
  const bytes = randomFillSync(Buffer.alloc(megabytes * MEGABYTE));
  bytes.write("%PDF-1.7\n");
  const bare = await startBare(folder);
  const contenders = [
    { name: "server", pid: server.pid, ...ofServer(server, tenant, bytes) },
    { name: "bare stream", pid: bare.pid, ...ofBare(bare, bytes) },
    { name: "cp", ...ofCp(folder, bytes) },
  ];
  try {
    const rows = [];
    for (let round = -1; round < rounds; round++) {
      for (const contender of orderOf(contenders, round)) {
        const row = { up: await timed(contender, "up", bytes), down: await timed(contender, "down", bytes) };
        // The first round warms up.
        if (round >= 0) rows.push({ round, contender: contender.name, ...row });
      }
    }
    report(`files of ${megabytes} MB: ${rounds} rounds`);
    return rows;
  } finally {
    await bare.stop();
  }
}

async function timed(contender, way, bytes) {
  const cpuBefore = contender.pid === undefined ? Number.NaN : cpuSeconds(contender.pid);
  const from = performance.now();
  const moved = await contender[way]();
  const seconds = (performance.now() - from) / 1000;
  if (moved !== bytes.length) throw new Error(`${contender.name}, ${way}: ${moved} bytes of ${bytes.length}`);
  const cpu = contender.pid === undefined ? Number.NaN : cpuSeconds(contender.pid) - cpuBefore;
  const megabytes = bytes.length / MEGABYTE;
  return { perSecond: megabytes / seconds, cpuMillisecondsEach: (cpu * 1000) / megabytes };
}

function ofServer({ baseUrl }, { token }, bytes) {
  let downloadUrl;
  return {
    async up() {
      const announced = { filename: "menu.pdf", content_type: "application/pdf", size_bytes: bytes.length };
      const place = await callInstance({ baseUrl, token }, "POST /v3/attachments", announced);
      await put(place.upload_url, place.required_headers, bytes);
      downloadUrl = place.download_url;
      return bytes.length;
    },
    down: () => countBytes(downloadUrl),
  };
}

function ofBare({ baseUrl }, bytes) {
  return {
    async up() {
      await put(baseUrl, {}, bytes);
      return bytes.length;
    },
    down: () => countBytes(baseUrl),
  };
}

function ofCp(folder, bytes) {
  const from = path.join(folder, "original");
  writeFileSync(from, bytes);
  async function copy() {
    await run("cp", [from, path.join(folder, "copy")]);
    return bytes.length;
  }
  return { up: copy, down: copy };
}

async function put(url, headers, bytes) {
  const { statusCode, body } = await request(url, { method: "PUT", headers, body: bytes });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`PUT answered ${statusCode}: ${text}`);
}

async function countBytes(url) {
  const { statusCode, body } = await request(url);
  if (statusCode !== 200) throw new Error(`GET ${url} answered ${statusCode}`);
  let size = 0;
  for await (const chunk of body) size += chunk.length;
  return size;
}

async function startBare(folder) {
  const port = await findFreePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const env = { PORT: String(port), BARE_FILE: path.join(folder, "bare") };
  return { ...(await startProcess({ args: [BARE_FILES], env, readyUrl: baseUrl })), baseUrl };
}
