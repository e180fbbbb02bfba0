import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { AccountRef } from "@/lib/platform/context";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** An operation that a process performs in a chat. */
type SkewedRequest =
  | { type: "send"; text: string; replyTo?: string }
  | { type: "start_typing" | "stop_typing" };

interface SkewedProcess {
  /**
   * Performs a request for the account. Resolves once it is committed, with the id of the sent message if there is one.
   */
  request(account: AccountRef, chatId: string, request: SkewedRequest): Promise<string | null>;
  /** The platform time of the process, in milliseconds. */
  now(): Promise<number>;
}

export interface SkewedProcesses {
  /** Starts a process on the test's database whose clock is ahead by this time; negative = behind. */
  start(aheadMs: number, options?: { followsDatabase?: boolean }): Promise<SkewedProcess>;
  end(): Promise<void>;
}

/** Starts web processes with wrong clocks, as on machines without time synchronization. */
export async function bundleSkewedProcesses(): Promise<SkewedProcesses> {
  const outfile = path.join(root, ".generated", `test-skewed-${process.pid}.mjs`);
  await build({
    stdin: { contents: SOURCE, resolveDir: root, loader: "ts" },
    outfile,
    bundle: true,
    platform: "node",
    target: "node24",
    format: "esm",
    packages: "external",
    alias: { "server-only": path.join(root, "lib/testing/server-only.ts") },
    logLevel: "warning",
  });
  const running = new Set<ChildProcess>();

  async function start(aheadMs: number, { followsDatabase = true } = {}): Promise<SkewedProcess> {
    const child = spawn(process.execPath, [outfile, String(aheadMs), String(followsDatabase)], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    running.add(child);
    let asked: Promise<unknown> = nextAnswer(child);
    await asked;
    const queryProcess = <Answer>(question: object): Promise<Answer> => {
      const answer = asked.then(() => {
        child.send(question);
        return nextAnswer<Answer>(child);
      });
      asked = answer.catch(() => undefined);
      return answer;
    };
    return {
      request: (account, chatId, request) => queryProcess<string | null>({ account, chatId, ...request }),
      now: () => queryProcess<number>({ type: "now" }),
    };
  }

  return {
    start,
    async end() {
      const exits = [...running].map((child) => once(child, "exit"));
      for (const child of running) child.kill("SIGKILL");
      await Promise.all(exits);
      rmSync(outfile, { force: true });
    },
  };
}

async function nextAnswer<Answer>(child: ChildProcess): Promise<Answer> {
  const ended = new AbortController();
  const exit = once(child, "exit", { signal: ended.signal }).then(() => {
    throw new Error("the process ended");
  });
  exit.catch(() => undefined);
  const [answer] = (await Promise.race([once(child, "message", { signal: ended.signal }), exit])) as [
    { value: Answer } | { error: string },
  ];
  ended.abort();
  if ("error" in answer) throw new Error(answer.error);
  return answer.value;
}

const SOURCE = `
  const aheadMs = Number(process.argv[2]);
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...parts: []) { super(...(parts.length === 0 ? [RealDate.now() + aheadMs] : parts) as []); }
    static now() { return RealDate.now() + aheadMs; }
  } as DateConstructor;

  import { startTyping, stopTyping } from "@/lib/messaging/presence/set-typing";
  import { sendMessage, SendMessage } from "@/lib/messaging/sending/send-message";
  import { now } from "@/lib/platform/time/clock";
  import { followClock } from "@/lib/platform/time/follow-clock";
  import { newTraceId } from "@/lib/platform/ids";
  import { registerDependencies } from "@/lib/runtime/wiring/register-dependencies";

  registerDependencies();

  async function perform({ account, chatId, ...request }) {
    if (request.type === "now") return now().getTime();
    const ctx = { account, actor: { type: "system" }, traceId: newTraceId(), now: now() };
    const params = { chatId };
    if (request.type === "start_typing") return void (await startTyping(ctx, { params }));
    if (request.type === "stop_typing") return void (await stopTyping(ctx, { params }));
    const parts = [{ type: "text", value: request.text }];
    const message = request.replyTo ? { parts, reply_to: { message_id: request.replyTo } } : { parts };
    const body = SendMessage.body.parse({ message });
    return (await sendMessage(ctx, { params, query: undefined, body })).message.id;
  }

  process.on("message", (question) => {
    perform(question).then(
      (value) => process.send({ value: value ?? null }),
      (error) => process.send({ error: String(error) }),
    );
  });
  if (process.argv[3] === "true") await followClock();
  process.send({ value: "started" });
`;
