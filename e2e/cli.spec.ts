import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { findFreePort } from "../scripts/instance/find-free-port.mjs";
import { sendRequest } from "./partner-program";
import { firstRun } from "./test-instance";

const CLI = path.resolve("scripts/trunkline.mjs");
const ENTER = "\r";
const CONTROL_C = "\u0003";

const children: ChildProcess[] = [];
let directory: string;

test.beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), "trunkline-e2e-"));
});

test.afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  rmSync(directory, { recursive: true, force: true });
});

interface LaunchOptions {
  env?: Record<string, string>;
  /** Runs the command in a terminal of its own, so that it asks questions. */
  inTerminal?: boolean;
}

/** Starts the built command line as a person does. */
function launch(args: readonly string[], { env = {}, inTerminal = false }: LaunchOptions = {}) {
  const command = [process.execPath, CLI, ...args];
  const inShell = `stty cols 100 rows 30; exec ${command.map((word) => `'${word}'`).join(" ")}`;
  const [program = "", ...more] = inTerminal ? ["script", "-qefc", inShell, "/dev/null"] : command;
  const child = spawn(program, more, {
    cwd: directory,
    env: { ...process.env, TRUNKLINE_CONFIG_DIR: directory, FORCE_COLOR: "0", TERM: "xterm", ...env },
  });
  children.push(child);
  const ended = once(child, "close").then(([code]) => code as number | null);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  return {
    child,
    ended,
    output: () => output,
    /** Waits until a question is asked, then types the keys. */
    async type(question: string | RegExp, keys: string) {
      if (typeof question === "string") await expect.poll(() => output).toContain(question);
      else await expect.poll(() => output).toMatch(question);
      child.stdin.write(keys);
    },
  };
}

const connection = () => ({ TRUNKLINE_URL: firstRun().base_url, TRUNKLINE_TOKEN: firstRun().token });
const needsTerminal = () =>
  test.skip(process.platform !== "linux", "the command that makes a terminal is another elsewhere");

async function freshInstance(more: Record<string, string>) {
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const env = { PORT: String(port), DATA_DIR: path.join(directory, ".data"), DATABASE_URL: "", ...more };
  const status = async (where: string) =>
    fetch(url + where).then(
      ({ status }) => status,
      () => 0,
    );
  return { url, env, status };
}

test("start runs an instance whose account later commands use, and ends it with itself", async () => {
  const { url, env, status } = await freshInstance({ DASHBOARD: "off" });
  const started = launch(["start"], { env });
  await expect.poll(() => status("/ready"), { timeout: 60_000 }).toBe(200);
  const demo = JSON.parse(readFileSync(path.join(directory, ".data", "first-run.json"), "utf8"));

  const own = launch(["whoami", "--json"], {
    env: { TRUNKLINE_URL: "", TRUNKLINE_TOKEN: "", BASE_URL: url },
  });
  expect(await own.ended).toBe(0);
  expect(JSON.parse(own.output())).toMatchObject({ url, account: { type: "sandbox" } });
  const said = launch(["phone", demo.phone, "say", "hi"], { env: { BASE_URL: url } });
  expect(await said.ended).toBe(0);

  started.child.kill("SIGTERM");
  expect(await started.ended).toBe(0);
  expect(await status("/ready")).toBe(0);
});

test("start ends with the exit code of an instance that can't start, and says why", async () => {
  const { env } = await freshInstance({ DATABASE_URL: "postgresql://localhost:1/none", ENCRYPTION_KEY: "" });
  const started = launch(["start"], { env });
  expect(await started.ended).not.toBe(0);
  expect(started.output()).toContain("ENCRYPTION_KEY");
});

test("dev runs an instance whose pages reload when their source changes", async () => {
  const { url, env, status } = await freshInstance({});
  const started = launch(["dev"], { env });
  await expect.poll(() => status("/ready"), { timeout: 90_000 }).toBe(200);
  const page = await (await fetch(`${url}/sign-in`)).text();
  expect(page).toContain("Sign in");
  expect(page).toContain("hmr-client");
  started.child.kill("SIGTERM");
  await started.ended;
  expect(await status("/ready")).toBe(0);
});

test("token asks for the URL and the token, hides the token, and saves both", async () => {
  needsTerminal();
  const env = { TRUNKLINE_URL: "", TRUNKLINE_TOKEN: "" };
  const saved = launch(["token", "--profile", "asked", "--url", firstRun().base_url], {
    env,
    inTerminal: true,
  });
  await saved.type("URL of the instance", ENTER);
  await saved.type("API token (dashboard", firstRun().token + ENTER);
  expect(await saved.ended).toBe(0);
  expect(saved.output()).toContain("Saved in");
  expect(saved.output()).not.toContain(firstRun().token);

  const own = launch(["whoami", "--profile", "asked", "--json"], { env });
  expect(await own.ended).toBe(0);
  expect(JSON.parse(own.output())).toMatchObject({ url: firstRun().base_url });
});

test("a prompt that is canceled saves nothing, and a wrong URL is asked for again", async () => {
  needsTerminal();
  const env = { TRUNKLINE_URL: "", TRUNKLINE_TOKEN: "" };
  const canceled = launch(["token", "--profile", "none"], { env, inTerminal: true });
  await canceled.type("URL of the instance", `\u0015here${ENTER}`);
  await canceled.type("Enter a URL", CONTROL_C);
  expect(await canceled.ended).toBe(1);
  expect(canceled.output()).toContain("Nothing was saved.");
  expect(await launch(["whoami", "--profile", "none"], { env }).ended).toBe(3);
});

test("without a terminal, commands that would ask end and say which option answers", async () => {
  const token = launch(["token"], { env: { TRUNKLINE_TOKEN: "" } });
  expect(await token.ended).toBe(2);
  expect(token.output()).toContain("Pass the token as an argument, or - to read it from standard input.");

  const reset = launch(["reset"], { env: connection() });
  expect(await reset.ended).toBe(2);
  expect(reset.output()).toContain("Pass --yes to confirm. Nothing was deleted.");
});

test("reset and restore ask first, and do nothing when refused", async () => {
  needsTerminal();
  const { token } = (await sendRequest("POST /simulator/accounts", { name: "Command line" })).body;
  const env = { TRUNKLINE_URL: firstRun().base_url, TRUNKLINE_TOKEN: token };
  const inbox = async () => {
    const listed = launch(["phone", "+15550107001", "inbox", "--json"], { env });
    await listed.ended;
    return listed.output();
  };
  expect(await launch(["phone", "+15550107001", "say", "still here"], { env }).ended).toBe(0);
  const refused = launch(["reset"], { env, inTerminal: true });
  await refused.type(/Delete all chats, messages, events, phones and\s+payments/, ENTER);
  expect(await refused.ended).toBe(1);
  expect(refused.output()).toContain("Nothing was deleted.");
  expect(await inbox()).toContain("still here");

  expect(await launch(["snapshot", "create", "before"], { env }).ended).toBe(0);
  const reset = launch(["reset"], { env, inTerminal: true });
  await reset.type(/Delete all chats/, "y");
  expect(await reset.ended).toBe(0);
  expect(await inbox()).toContain("is not a simulated phone");
  const restored = launch(["snapshot", "restore", "before"], { env, inTerminal: true });
  await restored.type(/Replace the state/, "y");
  expect(await restored.ended).toBe(0);
  expect(await inbox()).toContain("still here");
});

test("logs --follow prints requests as they arrive, one per line, until it is interrupted", async () => {
  const missing = "/v3/chats/01a00000-0000-7000-8000-00000000f011";
  const following = launch(["logs", "--follow", "--path", missing, "--json"], { env: connection() });
  const lines = () =>
    following
      .output()
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  for (const count of [1, 2]) {
    await sendRequest(`GET ${missing}`);
    await expect.poll(() => lines().length).toBe(count);
  }
  expect(lines()).toMatchObject([
    { path: missing, status: 404, error_code: 2001 },
    { path: missing, status: 404, error_code: 2001 },
  ]);
  following.child.kill("SIGINT");
  await following.ended;
});
