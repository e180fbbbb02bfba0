import "server-only";
import type { Dispatcher } from "undici";
import { BlockedTarget } from "@/lib/platform/guarded-fetch/guarded-connector";
import { type RequestTiming, RequestWatch } from "@/lib/platform/guarded-fetch/request-timing";
import { isPostable, TimedOut } from "@/lib/platform/guarded-fetch/safe-fetch";

const MAX_DISCARD_BYTES = 64 * 1024;

export interface PostRequest {
  headers: Record<string, string>;
  body: string;
  /** Time limit for the whole exchange: resolving, connecting, sending, waiting and reading. */
  timeoutMs: number;
  /** Number of bytes of the response to keep. The rest is discarded, or the response is cut off when it is long. */
  keepBytes: number;
  /** Called once, when the request has ended, with or without success. */
  onTiming?(timing: RequestTiming): void;
}

/** The beginning of a response. */
export interface PostAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}

/**
 * Sends one POST. Redirects are returned like other responses and never followed. Rejects with BlockedTarget,
 * TimedOut or the network's error. A response whose body does not end in time is returned with the part that arrived. A
 * request is sent again when the connection of an earlier request was closed at the moment it was used again, because the
 * server's end of an idle connection can cross with the request. On a new connection it is sent once.
 */
export function postGuarded(agent: Dispatcher, target: URL, request: PostRequest): Promise<PostAnswer> {
  return new Promise((resolve, reject) => {
    if (!isPostable(target)) throw new BlockedTarget();
    const { headers, body } = request;
    const path = `${target.pathname}${target.search}`;
    const dispatch = (handler: Dispatcher.DispatchHandler) =>
      void agent.dispatch({ origin: target.origin, path, method: "POST", headers, body }, handler);
    const post = new Post(request, { resolve, reject, repeat: () => dispatch(post) });
    dispatch(post);
  });
}

interface PostEnd {
  resolve(answer: PostAnswer): void;
  reject(error: Error): void;
  /** Sends the request again. */
  repeat(): void;
}

/** A server that restarted has closed all idle connections. Each of them fails once. */
const MAX_REPEATS = 10;
/** The other side closed the connection. */
const CLOSED = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

/**
 * Handles one exchange for undici. `agent.request` would create a stream, a signal and their listeners, which for
 * short webhook responses costs as much as the exchange itself.
 */
class Post implements Dispatcher.DispatchHandler {
  readonly #request: PostRequest;
  readonly #done: PostEnd;
  #watch = new RequestWatch();
  #repeated = 0;
  readonly #timer: NodeJS.Timeout;
  readonly #kept: Buffer[] = [];
  #size = 0;
  #controller: Dispatcher.DispatchController | null = null;
  #head: Omit<PostAnswer, "body"> | null = null;
  #ended = false;

  constructor(request: PostRequest, done: PostEnd) {
    this.#request = request;
    this.#done = done;
    this.#timer = setTimeout(() => this.#stop(new TimedOut(request.timeoutMs / 1000)), request.timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // The time limit passed while the request waited for a connection.
    if (this.#ended) controller.abort(new TimedOut(this.#request.timeoutMs / 1000));
    else this.#watch.begin();
  }

  onResponseStart(_controller: unknown, status: number, headers: PostAnswer["headers"]): void {
    // Informational responses such as "Early hints" precede the response.
    if (status < 200) return;
    this.#watch.answered();
    this.#head = { status, headers };
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    const { keepBytes } = this.#request;
    // A copy, because undici reuses the chunk's memory after this call.
    if (this.#size < keepBytes) this.#kept.push(Buffer.from(chunk.subarray(0, keepBytes - this.#size)));
    this.#size += chunk.length;
    if (this.#size > keepBytes + MAX_DISCARD_BYTES) this.#stop(new Error("the response is too large"));
  }

  onResponseEnd(): void {
    this.#end();
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (this.#isRace(error)) this.#repeat();
    else this.#end(error);
  }

  #isRace(error: Error & { code?: string }): boolean {
    if (this.#ended || this.#repeated === MAX_REPEATS || this.#head !== null) return false;
    return CLOSED.has(error.code ?? "") && this.#watch.isOnReused;
  }

  #repeat(): void {
    this.#repeated++;
    this.#watch = new RequestWatch();
    this.#done.repeat();
  }

  #stop(reason: Error): void {
    this.#end(reason);
    this.#controller?.abort(reason);
  }

  // After the status has arrived, an error in the rest of the body changes nothing.
  #end(error?: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#request.onTiming?.(this.#watch.timing);
    if (this.#head !== null) this.#done.resolve({ ...this.#head, body: Buffer.concat(this.#kept) });
    else this.#done.reject(error ?? new Error("the connection closed before a response arrived"));
  }
}
