import { setTimeout as sleep } from "node:timers/promises";
import { CliError } from "@/scripts/cli/cli-error";
import type { ApiRequest, ApiResponse } from "@/scripts/cli/conform/api-request";
import type { SendGuard } from "@/scripts/cli/conform/send-guard";

const MAX_BYTES = 8 * 1024 * 1024;
/** A server that stopped responding would cost the time limit of each request. */
const MAX_FAILURES = 3;
const MAX_WAIT_SECONDS = 61;
const MAX_WAITS = 3;

interface Setup {
  baseUrl: string;
  token: string;
  timeoutSeconds: number;
  guard: SendGuard;
  /** Sees each response, also those that are repeated. */
  onResponse: (request: ApiRequest, response: ApiResponse) => void;
}

/** Sends the requests of a run: each with a time limit and a size limit, and again after a rate limit. */
export class HttpClient {
  private failures = 0;
  private isStopped = false;
  private readonly running = new Set<Promise<unknown>>();
  private readonly secrets = new Set<string>();

  constructor(private readonly setup: Setup) {
    this.secrets.add(setup.token);
  }

  /** Uses another token from now on. */
  changeToken(token: string): void {
    this.setup.token = token;
    this.secrets.add(token);
  }

  /** Removes a value from everything that is reported. */
  redact(secret: string): void {
    this.secrets.add(secret);
  }

  /** A text without the tokens and secrets of this run. */
  withoutSecrets(text: string): string {
    return [...this.secrets].reduce((shown, secret) => shown.replaceAll(secret, "[redacted]"), text);
  }

  /** Sends no further request but removals. Resolves when those that run have ended. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.allSettled(this.running);
  }

  /** Sends a request. Errors: notRun (the server stopped responding, or the run was stopped). */
  send(request: ApiRequest): Promise<ApiResponse> {
    const sending = this.sendUntilAnswered(request);
    const ended = sending.finally(() => this.running.delete(ended));
    this.running.add(ended);
    return ended;
  }

  private async sendUntilAnswered(request: ApiRequest): Promise<ApiResponse> {
    if (this.isStopped && request.isRemoval !== true) throw new CliError("notRun", "The run was stopped.");
    this.setup.guard.check(request);
    for (let waits = 0; ; waits++) {
      const response = await this.sendOnce(request);
      this.failures = response.status === 0 ? this.failures + 1 : 0;
      if (this.failures >= MAX_FAILURES) {
        throw new CliError("notRun", `${this.setup.baseUrl} stopped responding: ${response.failure}.`);
      }
      this.setup.onResponse(request, response);
      const waitSeconds = response.status === 429 ? retryAfterOf(response) : null;
      const isOver = waitSeconds === null || waitSeconds > MAX_WAIT_SECONDS || waits >= MAX_WAITS;
      if (isOver || this.isStopped || request.isLimitExpected === true) return response;
      await sleep(waitSeconds * 1000);
    }
  }

  private async sendOnce(request: ApiRequest): Promise<ApiResponse> {
    const { method, path, body, raw, headers = {}, token = this.setup.token } = request;
    const url = this.urlOf(path);
    const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const shown = this.withoutSecrets(
      `${method} ${url}${content === undefined ? "" : ` ${shorten(content)}`}`,
    );
    const nothing = { status: 0, headers: new Headers(), text: "", json: undefined, request: shown };
    try {
      const response = await fetch(url, {
        method,
        redirect: "manual",
        signal: AbortSignal.timeout(this.setup.timeoutSeconds * 1000),
        headers: {
          accept: "application/json",
          "user-agent": "trunkline-conform",
          ...(token !== null && { authorization: `Bearer ${token}` }),
          ...(content !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        ...(content !== undefined && { body: content }),
      });
      const text = await readBody(response);
      if (text === null) {
        return { ...nothing, failure: `the body has more than ${MAX_BYTES / 1024 / 1024} MB` };
      }
      const { status } = response;
      return { status, headers: response.headers, text, json: parse(text), failure: null, request: shown };
    } catch (error) {
      return { ...nothing, failure: this.causeOf(error) };
    }
  }

  /** The phones of the simulator are beside the API, whatever the path of its base URL is. */
  private urlOf(path: string): string {
    const { baseUrl } = this.setup;
    const base = path.startsWith("/simulator") ? new URL(baseUrl).origin : baseUrl.replace(/\/+$/, "");
    return `${base}${path}`;
  }

  /** Uploads bytes to a URL that the API returned, without the token. Returns the status, 0 without a response. */
  async upload(url: string, headers: Readonly<Record<string, string>>, bytes: Uint8Array): Promise<number> {
    try {
      const signal = AbortSignal.timeout(this.setup.timeoutSeconds * 1000);
      const response = await fetch(url, { method: "PUT", headers, body: Buffer.from(bytes), signal });
      await response.body?.cancel();
      return response.status;
    } catch {
      return 0;
    }
  }

  private causeOf(error: unknown): string {
    if (!(error instanceof Error)) return String(error);
    if (error.name === "TimeoutError") return `no whole response within ${this.setup.timeoutSeconds} s`;
    const { cause } = error;
    return cause instanceof Error ? ("code" in cause ? String(cause.code) : cause.message) : error.message;
  }
}

/** The seconds that a rate limit asks for; null if the response does not say. */
export function retryAfterOf({ headers }: ApiResponse): number | null {
  const seconds = headers.get("retry-after");
  return seconds !== null && /^\d{1,9}$/.test(seconds) ? Number(seconds) : null;
}

/** The text of a body, only the beginning of a stream of events, null if it is too large. */
async function readBody(response: Response): Promise<string | null> {
  if (response.body === null) return "";
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const reader = response.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      bytes += value.length;
      if (bytes > MAX_BYTES) return null;
      if (isStream) break;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function shorten(text: string): string {
  return text.length > 300 ? `${text.slice(0, 297)}…` : text;
}
