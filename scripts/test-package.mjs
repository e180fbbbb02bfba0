// npx node scripts/test-package.mjs [tarball]: installs the npm package in a new project outside of the repository, starts
// its instance, delivers a first message, and runs the example tests with Vitest, Jest and node:test. Prints the time
// of each step. Packs the package first unless a tarball is given.
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { packPackage } from "./pack.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const EXAMPLES = path.join(root, "e2e", "example-project");
const JEST = "30.4.2";
const PHONE = "+15550109001";

/**
 * Runs all steps. Resolves with the passed and failed steps, in order, and the duration of each in seconds. A failed
 * installation or start ends the run.
 */
export async function testPackage({ tarball = undefined, out = process.stdout } = {}) {
  const file = path.resolve(tarball ?? (await packPackage()).tarball);
  const project = mkdtempSync(path.join(tmpdir(), "trunkline-project-"));
  const steps = [];
  const step = async (name, work) => {
    const startedMs = performance.now();
    const error = await work().then(
      () => null,
      (thrown) => thrown,
    );
    const seconds = (performance.now() - startedMs) / 1000;
    steps.push({ name, seconds, passed: error === null });
    out.write(`${error === null ? "ok  " : "FAIL"} ${name}: ${seconds.toFixed(1)} s\n`);
    if (error !== null) out.write(`${error.message}\n`);
    return error === null;
  };
  let sim;
  try {
    writeProject(project);
    const installed =
      (await step("the tarball is installed", () => run("npm", installArgs(file), project))) &&
      (await step("it brings Next once, without its compiler", () => refuseWholeNext(project))) &&
      (await step("an instance starts and a first message is delivered", async () => {
        sim = await deliverFirstMessage(project);
      }));
    if (!installed) return steps;
    // An own instance of the tests with node:test moves its clock, so theirs needs no URL.
    const env = { TRUNKLINE_URL: sim.url, TRUNKLINE_TOKEN: sim.token };
    const node = (args, more) => run(process.execPath, args, project, more);
    await step("its dashboard, its documentation and its API explorer are served", () => openPages(project));
    await step("the command line writes as a phone and reads its inbox", () => useCommandLine(project, sim));
    await step("the types are valid", () => node(["node_modules/typescript/bin/tsc"]));
    await step("Vitest", () => node(["node_modules/vitest/vitest.mjs", "run"], env));
    await step("Jest", () => node(["--experimental-vm-modules", "node_modules/jest/bin/jest.js"], env));
    await step("node:test", () => node(["--test", "booking.node.mjs"]));
    return steps;
  } finally {
    await sim?.close();
    rmSync(project, { recursive: true, force: true });
  }
}

function writeProject(project) {
  const { devDependencies, dependencies } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  const manifest = {
    name: "example-project",
    private: true,
    type: "module",
    devDependencies: {
      "@types/node": dependencies["@types/node"],
      jest: JEST,
      typescript: dependencies.typescript,
      vitest: devDependencies.vitest,
    },
    jest: { testMatch: ["**/*.jest.mjs"], transform: {}, testTimeout: 60_000 },
  };
  cpSync(EXAMPLES, project, { recursive: true });
  writeFileSync(path.join(project, "package.json"), JSON.stringify(manifest, null, 2));
  writeFileSync(
    path.join(project, "vitest.config.mjs"),
    'export default { test: { include: ["*.vitest.ts"], testTimeout: 60_000, hookTimeout: 60_000 } };\n',
  );
}

function installArgs(tarball) {
  return ["install", "--no-audit", "--no-fund", "--loglevel=error", tarball];
}

/** Throws an Error if any other Next is installed than the trimmed one of the package, or Next's compiler. */
async function refuseWholeNext(project) {
  const packages = readdirSync(path.join(project, "node_modules"), { recursive: true });
  const found = packages.filter((file) => /(^|node_modules[\\/])(@next[\\/]swc-[^\\/]+|next)$/.test(file));
  const expected = path.join("trunkline", "node_modules", "next");
  if (found.join() !== expected) throw new Error(`It brings ${found.join(", ")}.`);
}

function testingOf(project) {
  return path.join(project, "node_modules", "trunkline", "dist", "testing", "testing.mjs");
}

/** Starts an instance of the installed package and sends a message to a phone. */
async function deliverFirstMessage(project) {
  const { createSimulator } = await import(pathToFileURL(testingOf(project)));
  const sim = await createSimulator({ start: true, timeoutMs: 30_000 });
  const phone = sim.phone();
  await phone.says("Hi");
  await sim.send({ to: phone, text: "Hello from Trunkline" });
  await phone.receives("Hello from Trunkline");
  return sim;
}

/** Starts an instance of the installed package with its pages, which nothing builds, and loads some. */
async function openPages(project) {
  const { startInstance } = await import(pathToFileURL(testingOf(project)));
  const instance = await startInstance({ env: { DASHBOARD: "on" } });
  try {
    for (const page of [
      "/sign-in",
      "/docs",
      "/docs/explorer",
      "/docs/scalar.js",
      "/docs/images/android-network.svg",
    ]) {
      const { status } = await fetch(`${instance.url}${page}`);
      if (status !== 200) throw new Error(`${page} answers ${status}`);
    }
  } finally {
    await instance.stop();
  }
}

/** Runs the package's own `trunkline`, as its users do. */
async function useCommandLine(project, { url, token }) {
  const env = { TRUNKLINE_URL: url, TRUNKLINE_TOKEN: token, TRUNKLINE_CONFIG_DIR: project };
  const trunkline = (...args) => run("npx", ["--no-install", "trunkline", ...args], project, env);
  await trunkline("whoami");
  await trunkline("phone", PHONE, "say", "Hi from the terminal");
  await trunkline("phone", PHONE, "inbox");
  await trunkline("conform", url, "--phones", "--only", "lists");
}

function run(command, args, cwd, more = {}) {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...more },
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
  });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output.push(chunk));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) return resolve();
      reject(
        new Error(`${[command, ...args].join(" ")} ended with exit code ${code}:\n${Buffer.concat(output)}`),
      );
    });
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const steps = await testPackage({ tarball: process.argv[2] });
  process.exitCode = steps.every(({ passed }) => passed) ? 0 : 1;
}
