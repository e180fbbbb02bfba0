import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { afterEach, expect, test } from "vitest";
import { parse } from "yaml";
import { findFreePort } from "@/lib/platform/postgres/find-free-port";
import { Settings } from "@/lib/platform/settings";
import { readDockerfile } from "./image/read-dockerfile.mjs";
import { imageManifest } from "./pack/stage-image.mjs";

const run = promisify(execFile);
const read = (file: string) => readFileSync(file, "utf8");

const compose = parse(read("compose.yaml"), { merge: true }) as {
  services: Record<
    string,
    { image: string; environment?: Record<string, string>; depends_on?: object; volumes?: string[] }
  >;
  volumes: Record<string, unknown>;
};
/** The names in the schema of the settings. */
const SETTINGS = new Set(Object.keys(Settings.shape));
const dockerfile = read("Dockerfile");
const unit = read("ops/trunkline.service");

const closes: (() => void)[] = [];
afterEach(() => {
  for (const close of closes.splice(0)) close();
});

test("pnpm runs the install scripts that npm runs", () => {
  const { allowScripts } = JSON.parse(read("package.json"));
  const { allowBuilds } = parse(read("pnpm-workspace.yaml"));
  // pnpm fails for a script that the list does not name, and npm only warns.
  expect(allowBuilds).toMatchObject(allowScripts);
  expect(Object.keys(allowBuilds).filter((name) => allowBuilds[name])).toEqual(
    Object.keys(allowScripts)
      .filter((name) => allowScripts[name])
      .toSorted(),
  );
});

test("the Dockerfile copies files that exist, runs staged scripts and is not root", () => {
  const sources = [...dockerfile.matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, files = ""]) =>
    files.split(" "),
  );
  expect(sources).toEqual(["package.json", "package-lock.json", "."]);
  const ignored = read(".dockerignore").split("\n");
  const scripts = [...dockerfile.matchAll(/scripts\/[\w-]+\.mjs/g)].map(([file]) => file);
  expect(scripts).toEqual(["scripts/healthcheck.mjs", "scripts/start.mjs"]);
  for (const file of [...sources, ...scripts]) {
    expect(existsSync(file), file).toBe(true);
    expect(ignored).not.toContain(file);
  }
  expect(Number(/^USER (\d+)/m.exec(dockerfile)?.[1])).toBeGreaterThan(0);
  expect(JSON.parse(read("package.json")).scripts.image).toBe("node scripts/image.mjs");
});

test("the image has the Node version of package.json", () => {
  const { dependencies } = JSON.parse(read("package.json"));
  expect(/^ARG NODE_VERSION=(.+)$/m.exec(dockerfile)?.[1]).toBe(dependencies.node);
});

// The lockfile names optional packages of one platform only, which npm ci refuses.
test("the image is built with npm install, with the overrides of its dependencies", () => {
  expect(dockerfile).toMatch(/^RUN npm install /m);
  expect(dockerfile).not.toMatch(/^RUN npm ci/m);
  const repository = JSON.parse(read("package.json"));
  const { dependencies } = repository;
  const manifest = imageManifest(
    { dependencies, optionalDependencies: { node: "24" }, bundleDependencies: ["next"] },
    repository,
  );
  expect(manifest).toEqual({
    dependencies,
    overrides: { "next-auth": { nodemailer: "$nodemailer" } },
  });
});

test("readDockerfile returns the steps of the last stage", () => {
  expect(readDockerfile(dockerfile)).toMatchObject({
    node: JSON.parse(read("package.json")).dependencies.node,
    runs: [expect.stringMatching(/^groupadd .*useradd /)],
    workdir: "/app",
    user: "10001:10001",
    env: { NODE_ENV: "production", DATA_DIR: "/var/lib/trunkline" },
    healthcheck: ["node", "scripts/healthcheck.mjs"],
    command: ["node", "scripts/start.mjs"],
  });
  expect(() => readDockerfile("FROM debian\nWORKDIR /app\n")).toThrow("has no USER");
});

test("no build context contains secrets, data or another build", () => {
  const ignored = read(".dockerignore").split("\n");
  expect(ignored).toEqual(
    expect.arrayContaining([".env", ".env.*", ".data", ".git", "node_modules", "dist", ".next"]),
  );
});

test("compose.yaml, the image and the unit set only settings that exist", () => {
  const isSetting = (name: string) => SETTINGS.has(name);
  const own = ["web", "worker"].flatMap((name) => Object.keys(compose.services[name]?.environment ?? {}));
  const inImage = [...(/^ENV (.+)$/m.exec(dockerfile)?.[1]?.matchAll(/(\w+)=/g) ?? [])].map(
    ([, name = ""]) => name,
  );
  const inUnit = [...unit.matchAll(/^Environment=(\w+)=/gm)].map(([, name = ""]) => name);
  for (const names of [own, inImage, inUnit]) {
    expect(names.length).toBeGreaterThan(1);
    expect(names.filter((name) => !isSetting(name))).toEqual([]);
  }
});

test("compose.yaml depends on its own services and volumes, and its variables are in the example", () => {
  const services = Object.values(compose.services);
  for (const { depends_on = {}, volumes = [] } of services) {
    for (const name of Object.keys(depends_on)) expect(compose.services).toHaveProperty(name);
    for (const volume of volumes) expect(compose.volumes).toHaveProperty(volume.split(":")[0] ?? "");
  }
  const variables = new Set([...read("compose.yaml").matchAll(/\$\{(\w+)/g)].map(([, name]) => name));
  const example = [...read("ops/compose.env.example").matchAll(/^(\w+)=/gm)].map(([, name]) => name);
  expect([...variables].sort()).toEqual(example.sort());
});

test("both stop a process only after SHUTDOWN_SECONDS", () => {
  const seconds = Settings.shape.SHUTDOWN_SECONDS.parse(undefined);
  expect(seconds).toBeGreaterThan(0);
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(seconds);
  expect(Number(/stop_grace_period: (\d+)s/.exec(read("compose.yaml"))?.[1])).toBeGreaterThan(seconds);
});

test.skipIf(!existsSync("/usr/bin/systemd-analyze"))("systemd accepts the unit", async () => {
  const { stderr } = await run("/usr/bin/systemd-analyze", ["verify", "ops/trunkline.service"]);
  expect(stderr).not.toContain("trunkline.service");
});

async function checkHealth(environment: Record<string, string>): Promise<number> {
  const { PATH = "" } = process.env;
  return run(process.execPath, ["scripts/healthcheck.mjs"], {
    env: { PATH, NODE_ENV: "production", ...environment },
  }).then(
    () => 0,
    ({ code }: { code: number }) => code,
  );
}

async function respondWith(status: number): Promise<string> {
  const server = createServer(({ url }, response) =>
    response.writeHead(url === "/ready" ? status : 404).end(),
  );
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  closes.push(() => server.close());
  return String((server.address() as AddressInfo).port);
}

test("the health check follows /ready: on PORT, or on METRICS_PORT of a worker", async () => {
  const [ready, notReady, closed] = [
    await respondWith(200),
    await respondWith(503),
    String(await findFreePort()),
  ];
  expect(await checkHealth({ PORT: ready })).toBe(0);
  expect(await checkHealth({ PORT: notReady })).toBe(1);
  expect(await checkHealth({ PORT: closed })).toBe(1);
  expect(await checkHealth({ ROLE: "worker", PORT: closed, METRICS_PORT: ready })).toBe(0);
  expect(await checkHealth({ ROLE: "worker", PORT: ready })).toBe(1);
});
