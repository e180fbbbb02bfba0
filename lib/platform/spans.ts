import "server-only";
import { hash } from "node:crypto";

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

/**
 * The span ID of the request that began a trace: the last 16 digits of the trace ID, which are random. So every process
 * knows the parent of a later step without storing it.
 */
export function requestSpanId(traceId: string): string {
  return traceId.slice(16);
}

/** The ID of a step that its name and subject determine, so that its own steps can name it as their parent. */
export function stepSpanId(step: string, subject: string): string {
  return hash("sha256", `${step} ${subject}`).slice(0, 16);
}
