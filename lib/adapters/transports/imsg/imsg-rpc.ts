import "server-only";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { z } from "zod";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { log } from "@/lib/platform/telemetry/log";

const MAX_LINE = 4 * 1024 * 1024;

const Failure = z.object({
  code: z.number(),
  message: z.string(),
  data: z.unknown().optional(),
});

const Data = z.object({
  disposition: z.string().optional().catch(undefined),
  detail: z.string().optional().catch(undefined),
});

const Response = z.object({
  id: z.number(),
  result: z.unknown().optional(),
  error: Failure.optional(),
});

const Notification = z.object({ method: z.string(), params: z.record(z.string(), z.unknown()).default({}) });

/** imsg can't perform further changes until it is restarted. */
export class LaneBlocked extends AdapterError {}

/** imsg refused the parameters of a request, or what they name, before it did anything. */
export class InvalidParams extends AdapterError {}

/** A change was certainly not started, for example because the bridge has no such chat. */
export class NotStarted extends AdapterError {}

/** imsg ended before it responded. A change may have been made. */
export class ImsgEnded extends AdapterError {
  constructor(method: string) {
    super("unknown_outcome", `imsg ended before its response to ${method}`);
  }
}

/** The requests to one process of imsg: JSON-RPC 2.0 with one object per line. */
export interface ImsgRpc {
  /** Returns the result. Throws AdapterError, of kind `unknown_outcome` when a change may have been made. */
  request(method: string, params: Record<string, unknown>, timeoutMs: number): Promise<unknown>;
}

/** Speaks to a process of imsg. `onNotification` receives its notifications in order. */
export function createRpc(
  child: ChildProcessWithoutNullStreams,
  onNotification: (method: string, params: Record<string, unknown>) => void,
): ImsgRpc {
  const pending = new Map<number, (response: z.infer<typeof Response> | null) => void>();
  let nextId = 0;
  let rest = "";
  let isClosed = false;

  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    rest += text;
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MAX_LINE) child.kill("SIGTERM");
    for (const line of lines) receive(line);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    // Diagnostics may quote messages, which do not belong in the log.
    log.debug({ size: text.length }, "imsg wrote to stderr");
  });
  child.stdin.on("error", () => undefined);
  child.on("error", close);
  child.on("exit", close);

  function close(): void {
    isClosed = true;
    for (const end of pending.values()) end(null);
    pending.clear();
  }

  function receive(line: string): void {
    const message = parse(line);
    const response = Response.safeParse(message);
    if (response.success) {
      pending.get(response.data.id)?.(response.data);
      pending.delete(response.data.id);
      return;
    }
    const notification = Notification.safeParse(message);
    if (notification.success) onNotification(notification.data.method, notification.data.params);
    else if (line.trim() !== "") log.warn({ size: line.length }, "imsg wrote a line that is no message");
  }

  return {
    request(method, params, timeoutMs) {
      return new Promise((resolve, reject) => {
        if (isClosed) return reject(new AdapterError("line_down", "imsg is not running"));
        const id = ++nextId;
        const timer = setTimeout(() => {
          pending.delete(id);
          reject(new AdapterError("unknown_outcome", `imsg did not respond to ${method} in time`));
        }, timeoutMs);
        pending.set(id, (response) => {
          clearTimeout(timer);
          if (response === null) reject(new ImsgEnded(method));
          else if (response.error !== undefined) reject(toError(method, response.error));
          else resolve(response.result);
        });
        child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
      });
    },
  };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** An internal error passes when a permission or Messages itself is mended, so what is held is tried this much later. */
const MENDED_MS = 15_000;

/** The codes of imsg (docs/rpc.md and Sources/imsg/RPCServer+Support.swift of openclaw/imsg, version 0.15). */
function toError(method: string, { code, message, data }: z.infer<typeof Failure>): AdapterError {
  const { disposition, detail = typeof data === "string" ? data : undefined } =
    Data.safeParse(data).data ?? {};
  const text = `imsg ${code}: ${message}${detail ? ` (${detail})` : ""}`;
  if (code === -32004 || disposition === "still_in_flight") {
    // An operation of an earlier request goes on. The one of this request was not started, if the lane was blocked.
    return new LaneBlocked(code === -32004 ? "rate_limited" : "unknown_outcome", text, 1000);
  }
  if (disposition === "not_started") return new NotStarted("rate_limited", text, 1000);
  switch (code) {
    case -32001:
      return new AdapterError("unknown_outcome", text);
    case -32000:
      return new AdapterError("rate_limited", text, 1000);
    case -32002:
      return new AdapterError("line_down", text);
    case -32003:
      // The bridge has just ended. A message can wait for it or go without it, and an action can't.
      return isSend(method)
        ? new NotStarted("rate_limited", text, 1000)
        : new AdapterError("unsupported", text);
    case -32601:
      return new AdapterError("unsupported", text);
    case -32602:
      return new InvalidParams("rejected", text);
    case -32603:
      return new AdapterError("line_down", text, MENDED_MS);
    default:
      return new AdapterError("rejected", text);
  }
}

function isSend(method: string): boolean {
  return /^(send|poll\.send|chats\.create)/.test(method);
}
