import "server-only";
import { tokenIdOf } from "@/lib/platform/context";
import { hasSqlState } from "@/lib/platform/database/has-sql-state";
import { requestClient } from "@/lib/platform/http/request-client";
import { newId } from "@/lib/platform/ids";
import { flushEvery } from "@/lib/platform/tasks/flush-every";
import { log } from "@/lib/platform/telemetry/log";
import { now } from "@/lib/platform/time/clock";
import { findReferencedResources } from "@/lib/request-log/store/referenced-resources";
import { createRequestBuffer, type RequestBuffer } from "@/lib/request-log/store/request-buffer";
import { truncateBody } from "@/lib/request-log/store/stored-body";
import { type RecordedRequest, writeRequests } from "@/lib/request-log/store/write-requests";
import type { Answer } from "@/lib/runtime/http/answer";
import { type Finished, onRequestFinished } from "@/lib/runtime/http/observe";

const WRITE_EVERY_MS = 1000;
/** Rows per statement. Longer statements would delay concurrent requests. */
const BATCH_ROWS = 200;
const MAX_WAITING = { mostRows: 10_000, mostChars: 32 * 1024 * 1024 };

/** SQLSTATE class of invalid values, which a retry cannot store either. */
const DATA_EXCEPTION = "22";

const LOGGED = /^(?:\/api\/partner)?\/v3(?:[/?]|$)|^\/mcp(?:\?|$)/;
const REQUEST_HEADERS = ["content-type", "idempotency-key", "x-stainless-retry-count"];
const ANSWER_HEADERS = ["retry-after", "x-should-retry", "allow"];

export interface RequestLog {
  /** Number of calls since the start whose account is unknown. They are counted but not logged. */
  readonly unattributed: number;
  /** Writes the remaining rows and stops. */
  stop(): Promise<void>;
}

/**
 * Logs every /v3 and /mcp call of a known token without delaying the response. Rows are written every second or every 200 rows.
 * While the database does not accept them, rows are buffered, and the oldest are dropped when the buffer is full.
 */
export function startRequestLog(): RequestLog {
  const buffer = createRequestBuffer(MAX_WAITING);
  let unattributed = 0;

  const flushing = flushEvery({
    name: "the request log",
    everyMs: WRITE_EVERY_MS,
    flush: () => writeAll(buffer),
  });

  const stopObserving = onRequestFinished((finished, answer) => {
    const path = pathOf(finished.request.url);
    if (!LOGGED.test(path)) return;
    if (finished.caller === undefined) {
      unattributed++;
      return;
    }
    const { account, actor } = finished.caller;
    const tokenId = tokenIdOf(actor);
    if (tokenId === null) return;
    buffer.add({ accountId: account.id, tokenId, path, ...noted(finished, answer) });
    // Only when the batch has just filled up: while the database is unavailable, only the timer retries.
    if (buffer.size === BATCH_ROWS) flushing.now();
  });

  return {
    get unattributed() {
      return unattributed;
    },
    async stop() {
      stopObserving();
      await flushing.stop();
      if (buffer.size > 0) log.error({ requests: buffer.size }, "requests were not logged before shutdown");
    },
  };
}

async function writeAll(buffer: RequestBuffer): Promise<void> {
  const dropped = buffer.takeDropped();
  if (dropped > 0) log.warn({ requests: dropped }, "the oldest unlogged requests were dropped");
  for (let left = buffer.size; left > 0 || buffer.size >= BATCH_ROWS; left -= BATCH_ROWS) {
    await writeBatch(buffer);
  }
}

async function writeBatch(buffer: RequestBuffer): Promise<void> {
  const batch = buffer.take(BATCH_ROWS);
  try {
    await writeRequests(batch);
  } catch (error) {
    if (!hasSqlState(error, DATA_EXCEPTION)) {
      buffer.putBack(batch);
      throw error;
    }
    log.error({ err: error, requests: batch.length }, "requests that the database rejected were not logged");
  }
}

function noted(finished: Finished, answer: Answer): Omit<RecordedRequest, "accountId" | "tokenId" | "path"> {
  const { request, traceId, params = null, text = "" } = finished;
  const logged: Answer["logged"] = answer.logged ?? { answer: answer.text ?? "" };
  const { request: requestBody = text, answer: answerBody } = logged;
  const at = now();
  return {
    id: newId(at.getTime()),
    method: request.method,
    params,
    status: answer.status,
    errorCode: answer.errorCode ?? null,
    latencyMs: performance.now() - finished.startedAt,
    named: findReferencedResources(answer.result, params ?? {}),
    traceId,
    userAgent: request.headers.get("user-agent"),
    address: requestClient().address,
    headers: {
      request: pick(REQUEST_HEADERS, (name) => request.headers.get(name)),
      answer: pick(ANSWER_HEADERS, (name) => answer.headers[name]),
    },
    requestBody: truncateBody(requestBody),
    answerBody: truncateBody(answerBody),
    requestBytes: Buffer.byteLength(text),
    answerBytes: Buffer.byteLength(answer.text ?? ""),
    at,
  };
}

function pick(
  names: readonly string[],
  get: (name: string) => string | null | undefined,
): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const name of names) {
    const value = get(name);
    if (value !== null && value !== undefined) picked[name] = value;
  }
  return picked;
}

// The URL is absolute: the path begins at the first slash after the host.
function pathOf(url: string): string {
  return url.slice(url.indexOf("/", url.indexOf("//") + 2));
}
