import "@/lib/testing/use-test-database";
import "@/lib/testing/capture-log";

import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { diskStoreIn, markFilesFolder } from "@/lib/adapters/storage/registry";
import { reloadEnv } from "@/lib/platform/env";
import { readiness, requireFolders, stopReadiness } from "@/lib/runtime/monitoring/readiness";
import { serveApi } from "@/lib/testing/serve-api";
import { startFakeS3 } from "@/lib/testing/servers/start-fake-s3";
import { startTcpProxy } from "@/lib/testing/servers/start-tcp-proxy";

const directUrl = process.env.DATABASE_URL ?? "";
const name = new URL(directUrl).pathname.slice(1);
const proxy = await startTcpProxy(directUrl);
process.env.DATABASE_URL = proxy.url;
process.env.ROLE = "web";

let admin: pg.Client;
let api: Awaited<ReturnType<typeof serveApi>>;
const folder = mkdtempSync(path.join(tmpdir(), "trunkline-ready-"));

beforeAll(async () => {
  admin = new pg.Client({ connectionString: inject("testServer").adminUrl });
  await admin.connect();
  api = await serveApi();
});

afterAll(async () => {
  await stopReadiness();
  await api.close();
  await admin.end();
  await proxy.close();
  rmSync(folder, { recursive: true, force: true });
});

async function ready(): Promise<{ status: number; checks: Record<string, string> }> {
  const response = await fetch(`${api.baseUrl}/ready`);
  const { checks } = await response.json();
  return { status: response.status, checks };
}

const OK = {
  status: 200,
  checks: { database: "ok", files: "ok", migrations: "ok", server: "ok", worker: "ok" },
};

/** Changes a database setting for sessions that begin during `work`. */
async function whileSet(setting: string, work: () => Promise<void>): Promise<void> {
  await admin.query(`alter database ${name} set ${setting}`);
  await stopReadiness();
  try {
    await work();
  } finally {
    await admin.query(`alter database ${name} reset all`);
    await stopReadiness();
  }
}

// First, because a positive result is cached.
test("a database that a newer release upgraded is not ready", async () => {
  const newer = "29990101000000_newer_contract";
  const client = new pg.Client({ connectionString: directUrl });
  await client.connect();
  try {
    await client.query(
      `insert into _prisma_migrations (id, checksum, migration_name, finished_at) values ('newer', '', $1, now())`,
      [newer],
    );
    // A test file of the same process may have looked at the migrations less than 30 s ago.
    await expect.poll(ready, { interval: 500 }).toMatchObject({
      status: 503,
      checks: { migrations: expect.stringContaining(newer) },
    });
    await client.query("delete from _prisma_migrations where migration_name = $1", [newer]);
    expect(await ready()).toEqual(OK);
  } finally {
    await client.end();
  }
}, 90_000);

test("an instance that can write is ready, however many ask", async () => {
  expect(await ready()).toEqual(OK);
  const answers = await Promise.all(Array.from({ length: 30 }, ready));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(proxy.peak).toBeLessThanOrEqual(2);
});

test("a read-only database is not ready", async () => {
  await whileSet("default_transaction_read_only = on", async () => {
    expect(await ready()).toMatchObject({
      status: 503,
      checks: { database: expect.stringContaining("read-only transaction") },
    });
  });
  expect(await ready()).toEqual(OK);
});

test("a database without room for its files is not ready", async () => {
  await whileSet("temp_file_limit = 0", async () => {
    expect(await ready()).toMatchObject({
      status: 503,
      checks: { database: expect.stringContaining("temp_file_limit") },
    });
  });
  expect(await ready()).toEqual(OK);
});

const disk = mkdtempSync(path.join(tmpdir(), "trunkline-disk-"));

// Uses a tablespace on a full 1 MB disk, which only root can mount.
test.skipIf(!mountDisk())("a database whose disk is full is not ready", async () => {
  const space = `full_${process.pid}`;
  mkdirSync(path.join(disk, "space"));
  execFileSync("chown", ["65534:65534", path.join(disk, "space")]);
  try {
    await admin.query(`create tablespace ${space} location '${path.join(disk, "space")}'`);
    await admin.query(`grant create on tablespace ${space} to trunkline`);
    await whileSet(`temp_tablespaces = ${space}`, async () => {
      expect(await ready()).toEqual(OK);
      fill(disk);
      expect(await ready()).toMatchObject({
        status: 503,
        checks: { database: expect.stringContaining("No space left on device") },
      });
    });
    await admin.query(`drop tablespace ${space}`);
  } finally {
    execFileSync("umount", [disk]);
    rmSync(disk, { recursive: true, force: true });
  }
});

test("a database that says nothing is answered for within the bound, and is ready again once it speaks", async () => {
  await ready();
  proxy.setMode("silent");
  expect(await ready()).toMatchObject({ status: 503, checks: { database: "timed out" } });
  proxy.setMode("forward");
  proxy.cut();
  await expect.poll(async () => (await ready()).status).toBe(200);
});

test("a data directory that is gone is not ready, until it is back", async () => {
  const data = path.join(folder, "data");
  mkdirSync(data);
  const forget = requireFolders([data]);
  expect((await readiness()).files).toBe("ok");
  renameSync(data, `${data}.away`);
  expect((await ready()).status).toBe(503);
  renameSync(`${data}.away`, data);
  expect(await ready()).toEqual(OK);
  forget();
});

test("a folder of files that was lost stays lost when an upload creates it again", async () => {
  const data = path.join(folder, "files");
  const forget = requireFolders(markFilesFolder(data));
  expect((await readiness()).files).toBe("ok");
  renameSync(data, `${data}.away`);
  const bytes = Readable.from([Buffer.from("new")]);
  await diskStoreIn(data).put("a/b", bytes, { contentType: "text/plain", leastBytes: 3, mostBytes: 3 });
  expect((await ready()).status).toBe(503);
  rmSync(data, { recursive: true });
  renameSync(`${data}.away`, data);
  expect(await ready()).toEqual(OK);
  forget();
});

test("the folder of files and its mark must both be writable", () => {
  const data = path.join(folder, "marked");
  const objects = path.join(data, "objects");
  expect(markFilesFolder(data)).toEqual([objects, path.join(objects, "README.txt")]);
});

test.skipIf(process.getuid?.() === 0)("a folder of files that can't be written to is not ready", async () => {
  const data = path.join(folder, "locked");
  const forget = requireFolders(markFilesFolder(data));
  chmodSync(path.join(data, "objects"), 0o500);
  expect((await ready()).status).toBe(503);
  chmodSync(path.join(data, "objects"), 0o700);
  expect(await ready()).toEqual(OK);
  forget();
});

test("an instance whose bucket is missing, and then there, says so", async () => {
  const bucket = await startFakeS3();
  const { accessKeyId, secretAccessKey, endpoint } = bucket.settings;
  const settings = {
    S3_BUCKET: "files",
    S3_ENDPOINT: "http://127.0.0.1:1",
    S3_REGION: bucket.settings.region,
    S3_PATH_STYLE: "1",
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  };
  Object.assign(process.env, settings);
  reloadEnv();
  await stopReadiness();
  expect(await ready()).toMatchObject({
    status: 503,
    checks: { files: expect.stringContaining("S3_ENDPOINT: http://127.0.0.1:1 can't be reached") },
  });
  process.env.S3_ENDPOINT = endpoint;
  reloadEnv();
  await stopReadiness();
  expect(await ready()).toEqual(OK);
  for (const name of Object.keys(settings)) delete process.env[name];
  reloadEnv();
  await bucket.close();
});

function mountDisk(): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m,mode=755", "tmpfs", disk], { stdio: "ignore" });
    return true;
  } catch {
    rmSync(disk, { recursive: true, force: true });
    return false;
  }
}

function fill(folder: string): void {
  try {
    execFileSync("dd", ["if=/dev/zero", `of=${path.join(folder, "filler")}`, "bs=1024"], { stdio: "ignore" });
  } catch {
    // Ends when the disk is full.
  }
}
