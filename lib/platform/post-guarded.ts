import "server-only";
import type { Dispatcher } from "undici";
import { BlockedTarget } from "@/lib/platform/guarded-connector";
import { type RequestTiming, RequestWatch } from "@/lib/platform/request-timing";
import { isPostable, TimedOut } from "@/lib/platform/safe-fetch";

const MAX_DISCARD_BYTES = 64 * 1024;

export interface PostRequest {
  headers: Record<string, string>;
  body: string;
  /** For everything: resolving, connecting, sending, waiting and reading. */
  timeoutMs: number;
  /** How much of the answer is kept; the rest is dropped, or cut off when it is long. */
  keepBytes: number;
  /** Called once, when the request has ended, successful or not. */
  onTiming?(timing: RequestTiming): void;
}

/** The start of an answer. */
export interface PostAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}

/**
 * POSTs once; redirects are answers like others, never followed. Rejects with BlockedTarget, TimedOut, or what the
 * network did. An answer whose body does not end in time counts with what came of it.
 */
export function postGuarded(agent: Dispatcher, target: URL, request: PostRequest): Promise<PostAnswer> {
  return new Promise((resolve, reject) => {
    if (!isPostable(target)) throw new BlockedTarget();
    const { headers, body } = request;
    const path = `${target.pathname}${target.search}`;
    const post = new Post(request, resolve, reject);
    agent.dispatch({ origin: target.origin, path, method: "POST", headers, body }, post);
  });
}

/**
 * An exchange under way, as undici tells it. `agent.request` would make a stream, a signal and their listeners for each:
 * for webhooks' short answers that costs as much as the exchange itself.
 */
class Post implements Dispatcher.DispatchHandler {
  readonly #request: PostRequest;
  readonly #resolve: (answer: PostAnswer) => void;
  readonly #reject: (error: Error) => void;
  readonly #watch = new RequestWatch();
  readonly #timer: NodeJS.Timeout;
  readonly #kept: Buffer[] = [];
  #size = 0;
  #controller: Dispatcher.DispatchController | null = null;
  #head: Omit<PostAnswer, "body"> | null = null;
  #ended = false;

  constructor(request: PostRequest, resolve: (answer: PostAnswer) => void, reject: (error: Error) => void) {
    this.#request = request;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#timer = setTimeout(() => this.#stop(new TimedOut(request.timeoutMs / 1000)), request.timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // It waited for a connection until its time was up.
    if (this.#ended) controller.abort(new TimedOut(this.#request.timeoutMs / 1000));
    else this.#watch.begin();
  }

  onResponseStart(_controller: unknown, status: number, headers: PostAnswer["headers"]): void {
    // "Early hints" and the like come before the answer.
    if (status < 200) return;
    this.#watch.answered();
    this.#head = { status, headers };
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    const { keepBytes } = this.#request;
    // A copy: the chunk is undici's memory only until this returns.
    if (this.#size < keepBytes) this.#kept.push(Buffer.from(chunk.subarray(0, keepBytes - this.#size)));
    this.#size += chunk.length;
    if (this.#size > keepBytes + MAX_DISCARD_BYTES) this.#stop(new Error("the response is too large"));
  }

  onResponseEnd(): void {
    this.#end();
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#end(error);
  }

  #stop(reason: Error): void {
    this.#end(reason);
    this.#controller?.abort(reason);
  }

  // Once the status has come, how the rest of the body ends changes nothing.
  #end(error?: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#request.onTiming?.(this.#watch.timing);
    if (this.#head !== null) this.#resolve({ ...this.#head, body: Buffer.concat(this.#kept) });
    else this.#reject(error ?? new Error("the connection closed before a response arrived"));
  }
}
