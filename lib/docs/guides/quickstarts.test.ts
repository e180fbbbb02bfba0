import "@/lib/testing/use-test-database";

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import type { Tokens } from "marked";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { parseMarkdown } from "@/lib/docs/guides/markdown-sections";
import { readGuide } from "@/lib/docs/guides/read-guide";
import { startWorker, type Worker } from "@/lib/runtime/worker/start-worker";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createTestPhone, writeAs } from "@/lib/testing/factories";
import { hasTool } from "@/lib/testing/find-tool";
import { serveApi } from "@/lib/testing/serve-api";
import { until } from "@/lib/testing/until";

/** The programs of the quickstarts, each with the command that runs it. */
const PROGRAMS = [
  { guide: "python", file: "quickstart.py", receiver: "receiver.py", command: "python3", args: [] },
  { guide: "go", file: "quickstart.go", receiver: "receiver.go", command: "go", args: ["run"] },
  {
    guide: "typescript",
    file: "quickstart.mjs",
    receiver: "receiver.mjs",
    command: process.execPath,
    args: [],
  },
  { guide: "curl", file: "quickstart.sh", receiver: null, command: "sh", args: [] },
] as const;

let account: TestAccount;
let worker: Worker;
let api: Awaited<ReturnType<typeof serveApi>>;
let folder: string;
const running: ChildProcess[] = [];

beforeAll(async () => {
  worker = await startWorker();
  api = await serveApi();
  account = await createTestAccount({ type: "sandbox" });
  // Below the repository, so that a program finds the official client.
  folder = mkdtempSync(path.resolve("node_modules/.quickstarts-"));
});

afterEach(() => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await api.close();
  await worker.stop();
});

/** The program of a quickstart as a file: its code blocks with the file's name, one after the other. */
function writeProgram(guide: string, file: string): string {
  const blocks = parseMarkdown(readGuide(`/docs/quickstarts/${guide}`)?.markdown ?? "").filter(
    (token): token is Tokens.Code =>
      token.type === "code" && token.lang?.includes(`title="${file}"`) === true,
  );
  expect(blocks.length).toBeGreaterThan(0);
  const target = path.join(folder, file);
  writeFileSync(target, blocks.map(({ text }) => text).join("\n\n"));
  return target;
}

function start(command: string, args: readonly string[], environment: Record<string, string>) {
  const child = spawn(command, args, {
    env: { ...process.env, TRUNKLINE_URL: api.baseUrl, TRUNKLINE_TOKEN: account.token, ...environment },
  });
  running.push(child);
  const output = { text: "" };
  child.stdout.on("data", (chunk) => {
    output.text += chunk;
  });
  child.stderr.on("data", (chunk) => {
    output.text += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  return { output, ended };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

test.for(PROGRAMS.map((program) => ({ ...program, isInstalled: hasTool(program.command) })))(
  "the $guide quickstart sends a message and sees its delivery",
  async ({ guide, file, command, args, isInstalled }, { skip }) => {
    skip(!isInstalled, `${command} is not installed`);
    const program = writeProgram(guide, file);
    const { output, ended } = start(command, [...args, program], {});
    expect({ code: await ended, output: output.text }).toEqual({
      code: 0,
      output: expect.stringMatching(/chat [0-9a-f-]{36}[\s\S]*message .*delivered/),
    });
  },
);

test.for(PROGRAMS.filter(({ receiver }) => receiver !== null))(
  "the server of the $guide quickstart receives signed webhooks and rejects others",
  async ({ guide, receiver, command, args }, { skip }) => {
    skip(!hasTool(command), `${command} is not installed`);
    const port = await freePort();
    const target_url = `http://127.0.0.1:${port}/${guide}`;
    const { body } = await callApi("POST /v3/webhook-subscriptions", {
      token: account.token,
      body: { target_url, subscribed_events: ["message.received"] },
    });
    const program = writeProgram(guide, receiver ?? "");
    const environment = { TRUNKLINE_SIGNING_SECRET: body.signing_secret, PORT: String(port) };
    const { output } = start(command, [...args, program], environment);
    const post = () => fetch(target_url, { method: "POST", body: "{}" }).catch(() => null);
    expect((await until(post)).status).toBe(401);

    const phone = await createTestPhone(account);
    await writeAs(account, phone, { to: account.line, text: "Hello" });

    await until(() => /^message\.received [0-9a-f-]{36}$/m.test(output.text));
  },
);
