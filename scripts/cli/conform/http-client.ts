import { setTimeout as sleep } from "node:timers/promises";
import { causeOf, parseJson } from "@/scripts/cli/api-client";
import { hostOf } from "@/scripts/cli/cli-context";
import { CliError } from "@/scripts/cli/cli-error";
import type { ApiRequest, ApiResponse } from "@/scripts/cli/conform/api-request";
import type { SendGuard } from "@/scripts/cli/conform/send-guard";

const MAX_BYTES = 8 * 1024 * 1024;
/** A server that stopped responding would cost the time limit of each request. */
const MAX_FAILURES = 3;
const MAX_WAIT_SECONDS = 61;
const MAX_WAITS = 3;
/** How long all removals together wait for rate limits. */
const MAX_REMOVAL_WAIT_SECONDS = 180;
/** Control characters, and those that change the direction of a text. */
const CONTROL = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
/** A shorter text is no secret: replacing it would make a report unreadable. */
const MIN_SECRET = 8;

interface Setup {
  baseUrl: string;
  token: string;
  timeoutSeconds: number;
  guard: SendGuard;
  /** Sees each response, also those that are repeated. */
  onResponse: (request: ApiRequest, response: ApiResponse) => void;
}

/** The server stopped responding, or an area took too long: a difference that ends the area. */
export class AreaEnded extends Error {
  /** Whether the other areas can't run, either. */
  readonly endsRun: boolean;

  constructor(message: string, { endsRun }: { endsRun: boolean }) {
    super(message);
    this.endsRun = endsRun;
  }
}

/** Sends the requests of a run: each with a time limit and a size limit, and again after a rate limit. */
export class HttpClient {
  private failures = 0;
  private removalWaitSeconds = MAX_REMOVAL_WAIT_SECONDS;
  private deadline = Number.POSITIVE_INFINITY;
  private readonly stopping = new AbortController();
  private readonly running = new Set<Promise<unknown>>();
  private readonly secrets = new Set<string>();

  constructor(private readonly setup: Setup) {
    this.secrets.add(setup.token);
  }

  /** Uses another token from now on. Returns whether it is another one. */
  changeToken(token: string): boolean {
    const isOther = token !== this.setup.token;
    this.setup.token = token;
    this.redact(token);
    return isOther;
  }

  /** Removes a value from everything that is reported. */
  redact(secret: string): void {
    if (secret.length >= MIN_SECRET) this.secrets.add(secret);
  }

  /** A text without the tokens and secrets of this run, and without characters that a terminal obeys. */
  withoutSecrets(text: string): string {
    const shown = [...this.secrets].reduce((rest, secret) => rest.replaceAll(secret, "[redacted]"), text);
    return shown.replaceAll(CONTROL, "\ufffd");
  }

  /** Limits the time from now on until the next call. */
  limit(milliseconds: number): void {
    this.deadline = Date.now() + milliseconds;
  }

  /** Sends no further request but removals. Resolves when those that run have ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.allSettled(this.running);
    this.failures = 0;
  }

  /** Waits. Throws AreaEnded (the area took too long). Errors: notRun (the run was stopped). */
  async pause(milliseconds: number): Promise<void> {
    const { signal } = this.stopping;
    await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
    this.requireRunning();
  }

  private requireRunning(): void {
    if (this.stopping.signal.aborted) throw new CliError("notRun", "The run was stopped.");
    if (Date.now() > this.deadline) throw new AreaEnded("the area took too long", { endsRun: false });
  }

  /** Sends a request. Throws AreaEnded. Errors: notRun (the run was stopped). */
  send(request: ApiRequest): Promise<ApiResponse> {
    const sending = this.sendUntilAnswered(request);
    const ended = sending.finally(() => this.running.delete(ended));
    this.running.add(ended);
    return ended;
  }

  private async sendUntilAnswered(request: ApiRequest): Promise<ApiResponse> {
    if (request.isRemoval !== true) this.requireRunning();
    this.setup.guard.check(request);
    for (let waits = 0; ; waits++) {
      const response = await this.sendOnce(request);
      this.setup.onResponse(request, response);
      this.failures = response.status === 0 ? this.failures + 1 : 0;
      if (this.failures >= MAX_FAILURES) {
        const message = `${this.setup.baseUrl} stopped responding: ${response.failure}`;
        throw new AreaEnded(message, { endsRun: true });
      }
      const waitSeconds = response.status === 429 ? retryAfterOf(response) : null;
      const isOver = waitSeconds === null || waitSeconds > MAX_WAIT_SECONDS || waits >= MAX_WAITS;
      if (isOver || request.isLimitExpected === true) return response;
      if (request.isRemoval !== true) await this.pause(waitSeconds * 1000);
      else if (waitSeconds > this.removalWaitSeconds) return response;
      else {
        this.removalWaitSeconds -= waitSeconds;
        await sleep(waitSeconds * 1000);
      }
    }
  }

  private async sendOnce(request: ApiRequest): Promise<ApiResponse> {
    const { method, path, body, raw, headers = {}, token = this.setup.token } = request;
    const url = `${this.setup.baseUrl.replace(/\/+$/, "")}${path}`;
    const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const shown = shorten(
      this.withoutSecrets(`${method} ${url}${content === undefined ? "" : ` ${content}`}`),
    );
    const nothing = { status: 0, headers: new Headers(), text: "", json: undefined, request: shown };
    try {
      const response = await fetch(url, {
        method,
        // The token is for this URL only.
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
      return {
        status,
        headers: response.headers,
        text,
        json: parseJson(text),
        failure: null,
        request: shown,
      };
    } catch (error) {
      return { ...nothing, failure: this.reasonOf(error) };
    }
  }

  /**
   * Uploads bytes to a URL that the API returned, without the token and without following redirects. Returns the status,
   * 0 without a response.
   */
  async upload(url: string, headers: Readonly<Record<string, string>>, bytes: Uint8Array): Promise<number> {
    try {
      const signal = AbortSignal.timeout(this.setup.timeoutSeconds * 1000);
      const body = Buffer.from(bytes);
      const response = await fetch(url, { method: "PUT", redirect: "manual", headers, body, signal });
      await response.body?.cancel();
      return response.status;
    } catch {
      return 0;
    }
  }

  /** Whether a URL may get an upload: any with https, and otherwise only the host of the server. */
  isUploadUrl(url: string): boolean {
    if (!URL.canParse(url)) return false;
    const target = new URL(url);
    const isOfServer = hostOf(target) === hostOf(new URL(this.setup.baseUrl));
    return target.protocol === "https:" || (target.protocol === "http:" && isOfServer);
  }

  private reasonOf(error: unknown): string {
    const isTimeout = error instanceof Error && error.name === "TimeoutError";
    return isTimeout ? `no whole response within ${this.setup.timeoutSeconds} s` : causeOf(error);
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

function shorten(text: string): string {
  return text.length > 400 ? `${text.slice(0, 397)}…` : text;
}
