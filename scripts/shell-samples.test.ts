import "@/lib/testing/use-test-database";

import { execFile, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { type Command, CommanderError } from "commander";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startWorker } from "@/lib/runtime/worker/start-worker";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { hasTool } from "@/lib/testing/find-tool";
import { readSamples, type Sample } from "@/lib/testing/samples/doc-samples";
import { requestProblem } from "@/lib/testing/samples/documented-request";
import { serveApi } from "@/lib/testing/serve-api";
import packageJson from "@/package.json";
import { createProgram } from "@/scripts/cli/run-cli";

const BLOCKS = readSamples().filter(({ language }) => language === "sh");
const ADMIN_USAGE = readFileSync("scripts/admin/commands.ts", "utf8");

/** The values that readers have set, or that an earlier document sets. */
const VARIABLES = {
  BASE_URL: "https://trunkline.example.com",
  TRUNKLINE_URL: "https://trunkline.example.com",
  TRUNKLINE_TOKEN: "tl_sandbox_token",
  TOKEN: "tl_sandbox_token",
  UPLOAD_URL: "https://files.example.com/upload",
  FETCH_URL: "https://cards.example.com/vault/card",
  USER_TOKEN: "user_token",
  SUBSCRIPTION_ID: "019ca9c2-4c00-7a31-8f00-2b6c1d4e5f60",
};

/** The programs that samples call. Each only records its arguments; `node -p` prints random bytes as samples do. */
const PROGRAMS = [
  "sh",
  "cp",
  "curl",
  "npm",
  "npx",
  "node",
  "docker",
  "python3",
  "go",
  "useradd",
  "install",
  "systemctl",
];
const RECORD = `#!/bin/bash
{ printf '%s\\0' "\${0##*/}" "$@"; printf '\\n\\0'; } >> "$CALLS"
[ "\${0##*/} $1" != "node -p" ] || echo ${Buffer.alloc(24).toString("base64")}
`;

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "trunkline-samples-"));
  const programs = path.join(folder, "programs");
  mkdirSync(programs);
  symlinkSync("/bin/mkdir", path.join(programs, "mkdir"));
  for (const name of PROGRAMS) {
    writeFileSync(path.join(programs, name), RECORD);
    chmodSync(path.join(programs, name), 0o755);
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs shell commands in an empty folder, where programs only record their arguments. Returns the calls. */
function recordCalls(script: string): { calls: string[][]; stderr: string } {
  const calls = path.join(folder, "calls");
  rmSync(calls, { force: true });
  const home = mkdtempSync(path.join(folder, "home-"));
  const { stderr } = spawnSync("/bin/bash", ["--norc", "-uc", script], {
    cwd: home,
    encoding: "utf8",
    env: {
      ...VARIABLES,
      PATH: path.join(folder, "programs"),
      CALLS: calls,
    } as Partial<NodeJS.ProcessEnv> as NodeJS.ProcessEnv,
  });
  const recorded = existsSync(calls) ? readFileSync(calls, "utf8") : "";
  return {
    calls: recorded
      .split("\n\0")
      .map((call) => call.split("\0").slice(0, -1))
      .filter(({ length }) => length > 0),
    stderr,
  };
}

/** The problem of one call; null for one that a reader can run. */
function problemOf([program = "", ...args]: readonly string[]): string | null {
  if (program === "curl") return curlProblem(args);
  if (program === "npx" && args[0] === "trunkline") return commandProblem(args.slice(1));
  if (program === "npm" && args[0] === "run") return scriptProblem(args.slice(1));
  return null;
}

const WITH_VALUE = ["-H", "-d", "-X", "-T", "-o"];

function curlProblem(args: readonly string[]): string | null {
  const valuesOf = (option: string) =>
    args.flatMap((arg, at) => (arg === option ? [args[at + 1] ?? ""] : []));
  const [url = ""] = args.filter(
    (arg, at) => !arg.startsWith("-") && !WITH_VALUE.includes(args[at - 1] ?? ""),
  );
  if (!URL.canParse(url)) return `curl ${url}: not a URL`;
  const { hostname, pathname, search } = new URL(url);
  const isApi = /^\/(v3|simulator)\//.test(pathname);
  if (!["trunkline.example.com", "localhost"].includes(hostname) || !isApi) return null;
  const [data] = valuesOf("-d");
  const [method = data === undefined ? "GET" : "POST"] = valuesOf("-X");
  if (valuesOf("-H").every((header) => !header.startsWith("Authorization: Bearer "))) {
    return `curl ${url}: no token`;
  }
  if (data !== undefined && !valuesOf("-H").includes("Content-Type: application/json")) {
    return `curl ${url}: no content type`;
  }
  const body = data === undefined ? {} : { body: parse(data) };
  return requestProblem({ method, path: decodeURIComponent(pathname) + search, ...body });
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return data;
  }
}

function scriptProblem([name = "", ...args]: readonly string[]): string | null {
  if (!(name in packageJson.scripts)) return `npm run ${name} does not exist`;
  if (name !== "admin") return null;
  const [, command = "", ...options] = args;
  const usage = new RegExp(`^ {2}${command} [\\s\\S]*?(?=^ {2}\\S|^\`)`, "m").exec(ADMIN_USAGE)?.[0];
  if (usage === undefined) return `npm run admin -- ${command} does not exist`;
  const unknown = options.filter((option) => option.startsWith("--") && !usage.includes(option));
  return unknown.length === 0 ? null : `npm run admin -- ${command} has no ${unknown.join(", ")}`;
}

function commandProblem(args: readonly string[]): string | null {
  const program = createProgram();
  quiet(program);
  try {
    program.parse([...args], { from: "user" });
    return null;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? null : error.message;
    throw error;
  }
}

/** Lets a command check its arguments without running or printing anything. */
function quiet(command: Command): void {
  command.exitOverride().configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
  if (command.commands.length === 0 || command.registeredArguments.length > 0)
    command.action(() => undefined);
  command.commands.forEach(quiet);
}

/** The commands of a document, one after the other, as a reader runs them. */
function scriptOf(blocks: readonly Sample[]): string {
  return blocks
    .map(({ text }) => text.replaceAll(/<([\w ]+)>/g, (_, words: string) => words.replaceAll(" ", "_")))
    .join("\n");
}

describe("the shell commands of", () => {
  const files = [...new Set(BLOCKS.map(({ file }) => file))].filter((file) => !file.includes("quickstarts/"));

  test.each(files)("%s name only requests, commands and options that exist", (file) => {
    const own = BLOCKS.filter((block) => block.file === file);
    // This document begins where docs/payments.md ends.
    const before = BLOCKS.filter(
      (block) => file === "docs/agent-payments.md" && block.file === "docs/payments.md",
    );
    const { calls, stderr } = recordCalls(scriptOf([...before, ...own]));
    expect(stderr).toBe("");
    const onlySets = own.every(({ text }) => text.split("\n").every((line) => line.startsWith("export ")));
    expect(calls.length > 0).toBe(!onlySets);
    expect(calls.map(problemOf).filter((problem) => problem !== null)).toEqual([]);
  });

  test.each([
    ['curl -sS "$BASE_URL/v3/chat" -H "Authorization: Bearer $TOKEN"', /not an operation/],
    ['curl -sS "$BASE_URL/v3/chats"', /no token/],
    [
      `curl "$BASE_URL/v3/chats" -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d '{"from":1}'`,
      /required property 'to'/,
    ],
    ["npx trunkline listen --forwards-to http://localhost:4000", /unknown option/],
    ["npx trunkline snapshots list", /unknown command/],
    ["npm run nothing", /does not exist/],
    ["npm run admin -- create-line --port 1", /has no --port/],
  ])("an imaginary document: %s is refused", (script, problem) => {
    const { calls } = recordCalls(script);
    expect(calls.map(problemOf)).toEqual([expect.stringMatching(problem)]);
  });

  test("an imaginary document with an unset variable or an unknown program is refused", () => {
    expect(recordCalls('curl "$NOWHERE/v3/chats"').stderr).toContain("NOWHERE");
    expect(recordCalls("wget https://example.com").stderr).toContain("wget");
  });
});

test.runIf(hasTool("curl"))("the first message of the agent skill works as written", async () => {
  const [block] = BLOCKS.filter(({ file }) => file === "docs/site/skill.md");
  const account = await createTestAccount({ type: "sandbox" });
  const [worker, api] = [await startWorker(), await serveApi()];
  try {
    const script = (block?.text ?? "")
      .replaceAll("https://trunkline.example.com", api.baseUrl)
      .replaceAll("+15550100001", account.line)
      .replaceAll("curl -sS", "curl -sS --fail-with-body");
    const { stdout } = await promisify(execFile)("bash", ["-ec", script], {
      env: { ...process.env, TRUNKLINE_TOKEN: account.token },
    });
    expect(stdout).toContain('"value":"Hello"');
    expect(stdout).toContain('"delivery_status":"pending"');
  } finally {
    await api.close();
    await worker.stop();
  }
});
