import "server-only";
import type { LoggedEvent } from "@/lib/events/store/logged-event";
import { followAccount, ReaderTooSlow, readLogBounds } from "@/lib/events/tail/follow-account";
import { type StreamFrame, serverSentEvent } from "@/lib/events/tail/server-sent-event";
import { ApiError } from "@/lib/platform/errors/errors";
import { isDraining } from "@/lib/platform/instances/drain";
import { errorAnswer } from "@/lib/runtime/http/error-response";
import { explainOutage } from "@/lib/runtime/http/explain-outage";
import { openStream, type StreamWriter } from "@/lib/runtime/streams/stream-writer";

const HEARTBEAT_MS = 15_000;
const RETRY_MS = 1000;
/** Readers reconnect at a random time within this period after the process shuts down. */
const RESTART_RETRY_MS = 2000;

export interface EventStreamOptions {
  accountId: string;
  /** The last event that the reader has; null starts with the next event. */
  after: number | null;
  tell(event: LoggedEvent): StreamFrame | Promise<StreamFrame>;
  traceId: string;
  /**
   * Ends the stream when the client disconnects or the process stops. An ApiError as the reason is sent to the reader.
   */
  signal: AbortSignal;
  heartbeatMs?: number;
  /** Sends heartbeats as events, which a page can see, instead of comments. */
  tellsHeartbeats?: boolean;
}

/**
 * Streams the account's events as server-sent events: first those after `after`, then each one as it happens, in order
 * and without gaps. The event `ready` means that all later events will arrive. A reader that is too slow is
 * disconnected with an event `error`; the client reconnects with Last-Event-ID and misses nothing. An event `reset` says
 * that events after `after` are no longer in the log, or that the log does not reach it. `ended` is called once, at the end.
 */
export function eventStream(options: EventStreamOptions, ended: () => void): ReadableStream<Uint8Array> {
  const { signal, traceId } = options;
  const { stream, writer } = openStream({ cutOff: closingFrame(tooSlow(), traceId) });
  writer.closed.addEventListener("abort", ended, { once: true });
  const end = () => {
    if (signal.reason instanceof ApiError) writer.close(closingFrame(signal.reason, traceId));
    else writer.close(isDraining() ? restartHint() : undefined);
  };
  if (signal.aborted) end();
  signal.addEventListener("abort", end, { once: true });
  run(options, writer).then(
    () => writer.close(),
    (error) => writer.close(closingFrame(explain(error, traceId), traceId)),
  );
  return stream;
}

async function run(options: EventStreamOptions, writer: StreamWriter): Promise<void> {
  const { accountId, after, tell, heartbeatMs = HEARTBEAT_MS, tellsHeartbeats = false } = options;
  if (writer.closed.aborted) return;
  writer.write(`retry: ${RETRY_MS}\n\n`);
  if (after !== null && after > 0) {
    const log = await readLogBounds(accountId);
    if (log !== null && (after + 1 < log.first || after > log.last)) writer.write(resetFrame(after, log));
  }
  let reached = after;
  let isReady = false;
  const heart = setInterval(() => writer.write(heartbeat(reached, tellsHeartbeats)), heartbeatMs).unref();
  writer.closed.addEventListener("abort", () => clearInterval(heart), { once: true });

  for await (const { events, through, live } of followAccount({ accountId, after, signal: writer.closed })) {
    for (const event of events) {
      const telling = tell(event);
      const text = telling instanceof Promise ? await telling : telling;
      if (text === null) continue;
      await writer.drained();
      if (writer.closed.aborted) return;
      writer.write(text);
      reached = event.seq;
    }
    reached = through;
    if (!live || isReady) continue;
    isReady = true;
    writer.write(serverSentEvent({ id: through, type: "ready", data: {} }));
  }
}

// An id without data advances the reader's Last-Event-ID past events that were filtered out, without dispatching an
// event.
function heartbeat(reached: number | null, isTold: boolean): string {
  if (isTold)
    return serverSentEvent({ ...(reached !== null && { id: reached }), type: "heartbeat", data: {} });
  return `: still here\n${reached === null ? "" : `id: ${reached}\n`}\n`;
}

// Without an id, because a reader that reconnects now is in the same situation.
function resetFrame(after: number, { first, last }: { first: number; last: number }): string {
  return serverSentEvent({ type: "reset", data: { after, first_event: first, last_event: last } });
}

function explain(error: unknown, traceId: string): unknown {
  if (error instanceof ReaderTooSlow) return tooSlow();
  return explainOutage(error, { request: { method: "GET" }, traceId });
}

function restartHint(): string {
  return `: restarting\nretry: ${Math.ceil(Math.random() * RESTART_RETRY_MS)}\n\n`;
}

function tooSlow(): ApiError {
  return new ApiError("rate_limited", "the stream was not read fast enough: reconnect with Last-Event-ID", 1);
}

function closingFrame(thrown: unknown, traceId: string): string {
  return `event: error\ndata: ${errorAnswer(thrown, traceId).text}\n\n`;
}
