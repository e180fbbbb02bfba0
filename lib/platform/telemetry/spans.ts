import "server-only";
import { hash } from "node:crypto";
import { hasRootSpan, newRootTraceId, newTraceId } from "@/lib/platform/ids";

/** A step of a trace, as in OpenTelemetry. Attributes never contain content, handles or secrets. */
export interface Span {
  /** The trace ID of the wire (`X-Trace-ID`). */
  traceId: string;
  /** 16 hex digits. */
  spanId: string;
  parentSpanId: string | null;
  name: string;
  kind: "server" | "client" | "consumer";
  /** `spanTime()` at the start and at the end. */
  start: number;
  end: number;
  attributes: Readonly<Record<string, string | number | boolean | null>>;
  isError: boolean;
}

type Sink = (span: Span) => void;

const shared = globalThis as typeof globalThis & { trunklineSpans?: Sink | undefined };

/** Whether spans are exported. Callers build no span while they are not. */
export function isTracing(): boolean {
  return shared.trunklineSpans !== undefined;
}

/** Hands a finished span to the exporter. Never throws and never waits. */
export function recordSpan(span: Span): void {
  shared.trunklineSpans?.(span);
}

/** Sets the exporter of spans; null turns tracing off. */
export function setSpanSink(sink: Sink | null): void {
  shared.trunklineSpans = sink ?? undefined;
}

/** Milliseconds since 1970 by this process's monotonic clock. */
export function spanTime(): number {
  return performance.timeOrigin + performance.now();
}

/** The ID of a trace's root span: the last 16 digits of the trace ID. So every process knows it without storing it. */
export function rootSpanId(traceId: string): string {
  return traceId.slice(16);
}

/** The parent of a step that the root span caused; null where the trace has no root span, as of a scheduled job. */
export function parentOfStep(traceId: string): string | null {
  return hasRootSpan(traceId) ? rootSpanId(traceId) : null;
}

/** Begins a trace that no request began, and records `work` as its root span. `work` receives the trace ID. */
export async function traceRoot<Result>(
  name: string,
  attributes: Span["attributes"],
  work: (traceId: string) => Promise<Result>,
): Promise<Result> {
  if (!isTracing()) return work(newTraceId());
  const traceId = newRootTraceId();
  const start = spanTime();
  const spanId = rootSpanId(traceId);
  const root = { traceId, spanId, parentSpanId: null, name, kind: "consumer" as const, start, attributes };
  try {
    const result = await work(traceId);
    recordSpan({ ...root, end: spanTime(), isError: false });
    return result;
  } catch (error) {
    recordSpan({ ...root, end: spanTime(), isError: true });
    throw error;
  }
}

/** The ID of a step that its name and subject determine, so that its own steps can name it as their parent. */
export function stepSpanId(step: string, subject: string): string {
  return hash("sha256", `${step} ${subject}`).slice(0, 16);
}
