import "server-only";
import { env } from "@/lib/platform/env";
import { flushEvery } from "@/lib/platform/tasks/flush-every";
import { log } from "@/lib/platform/telemetry/log";
import { exportedSpans } from "@/lib/platform/telemetry/metrics";
import { recordSpan, rootSpanId, type Span, setSpanSink, spanTime } from "@/lib/platform/telemetry/spans";
import { routeOf } from "@/lib/request-log/store/route-of";
import type { Answer } from "@/lib/runtime/http/answer";
import { type Finished, onRequestFinished } from "@/lib/runtime/http/observe";
import { toOtlp } from "@/lib/runtime/monitoring/to-otlp";

const MAX_WAITING = 4096;
const BATCH_SPANS = 512;
const EVERY_MS = 2000;
const TIMEOUT_MS = 5000;
/** Batches per flush, so that a backlog is sent soon and a shutdown does not take long. */
const MAX_BATCHES = MAX_WAITING / BATCH_SPANS;
const SAMPLED_RANGE = 2 ** 32;

/**
 * Exports the spans of this process to OTEL_EXPORTER_OTLP_ENDPOINT in batches, until stopped. While the endpoint is
 * unavailable, the newest spans are dropped once the buffer is full: tracing never delays or fails other work.
 */
export function startSpanExport(): { stop(): Promise<void> } {
  const waiting: Span[] = [];
  const ratio = env().OTEL_TRACES_SAMPLER_ARG;

  const flushing = flushEvery({ name: "the spans", everyMs: EVERY_MS, flush: () => exportWaiting(waiting) });

  setSpanSink((span) => {
    if (!isSampled(span.traceId, ratio)) return;
    if (waiting.length >= MAX_WAITING) return exportedSpans.inc({ result: "dropped" });
    waiting.push(span);
    if (waiting.length === BATCH_SPANS) flushing.now();
  });
  const stopObserving = onRequestFinished(recordRequest);

  return {
    async stop() {
      stopObserving();
      setSpanSink(null);
      await flushing.stop();
    },
  };
}

// The end of the ID is random, and all processes decide the same for a trace.
function isSampled(traceId: string, ratio: number): boolean {
  return Number.parseInt(traceId.slice(-8), 16) < ratio * SAMPLED_RANGE;
}

async function exportWaiting(waiting: Span[]): Promise<void> {
  for (let batches = 0; batches < MAX_BATCHES && waiting.length > 0; batches++) {
    const batch = waiting.slice(0, BATCH_SPANS);
    const outcome = await post(batch);
    if (outcome === "retry") return;
    waiting.splice(0, batch.length);
    exportedSpans.inc({ result: outcome }, batch.length);
  }
}

/** The statuses with which a collector asks to send a batch again (OTLP specification, Failures). */
const RETRIED = new Set([429, 502, 503, 504]);

async function post(batch: readonly Span[]): Promise<"exported" | "refused" | "retry"> {
  try {
    const response = await fetch(tracesUrl(), {
      method: "POST",
      headers: { ...headersOf(env().OTEL_EXPORTER_OTLP_HEADERS), "content-type": "application/json" },
      body: toOtlp(batch),
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (response.ok) return "exported";
    log.warn({ status: response.status, spans: batch.length }, "the trace endpoint did not accept spans");
    return RETRIED.has(response.status) ? "retry" : "refused";
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    log.warn({ error: String(cause), spans: batch.length }, "the trace endpoint can't be reached");
    return "retry";
  }
}

function tracesUrl(): string {
  return `${(env().OTEL_EXPORTER_OTLP_ENDPOINT ?? "").replace(/\/+$/, "")}/v1/traces`;
}

// "name=value,name=value" with URL-encoded values, as in the OpenTelemetry specification.
function headersOf(text: string): Record<string, string> {
  const pairs = text.split(",").flatMap((pair) => {
    const equals = pair.indexOf("=");
    return equals <= 0
      ? []
      : [[pair.slice(0, equals).trim(), decodeURIComponent(pair.slice(equals + 1).trim())]];
  });
  return Object.fromEntries(pairs);
}

/** Requests of partners' programs, and changes that people make. Reads of the dashboard would be most of all spans. */
function isTraced(path: string, method: string): boolean {
  return !path.startsWith("/api/") || path.startsWith("/api/partner/") || !["GET", "HEAD"].includes(method);
}

function recordRequest({ request, traceId, startedAt, caller, params }: Finished, { status }: Answer): void {
  const path = new URL(request.url).pathname;
  if (!isTraced(path, request.method)) return;
  const end = spanTime();
  // Parameters of the path can be phone numbers.
  const route = routeOf(path, params ?? null);
  recordSpan({
    traceId,
    spanId: rootSpanId(traceId),
    parentSpanId: null,
    name: route === null ? request.method : `${request.method} ${route}`,
    kind: "server",
    start: end - (performance.now() - startedAt),
    end,
    attributes: {
      "http.request.method": request.method,
      "http.route": route,
      "http.response.status_code": status,
      "trunkline.account.id": caller?.account.id ?? null,
    },
    isError: status >= 500,
  });
}
