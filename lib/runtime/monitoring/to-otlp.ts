import "server-only";
import { hostname } from "node:os";
import { env } from "@/lib/platform/env";
import type { Span } from "@/lib/platform/telemetry/spans";
import { version } from "@/package.json";

/** The numbers of opentelemetry.proto.trace.v1.Span.SpanKind. */
const KINDS = { server: 2, client: 3, consumer: 5 } as const satisfies Record<Span["kind"], number>;
const STATUS_UNSET = 0;
const STATUS_ERROR = 2;
/** The trace flags of a sampled span, and "the parent may be in another process". */
const FLAGS = 0x01 | 0x100 | 0x200;

/** The body of a request to an OTLP/HTTP endpoint in its JSON form (opentelemetry.proto.collector.trace.v1). */
export function toOtlp(spans: readonly Span[]): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: {
          attributes: toAttributes({
            "service.name": env().OTEL_SERVICE_NAME,
            "service.version": version,
            "host.name": hostname(),
            "process.pid": process.pid,
            "trunkline.role": env().ROLE,
          }),
          droppedAttributesCount: 0,
        },
        scopeSpans: [{ scope: { name: "trunkline", version }, spans: spans.map(toSpan) }],
      },
    ],
  });
}

function toSpan({ traceId, spanId, parentSpanId, name, kind, start, end, attributes, isError }: Span) {
  return {
    traceId,
    spanId,
    ...(parentSpanId === null ? {} : { parentSpanId }),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: toNanoseconds(start),
    endTimeUnixNano: toNanoseconds(Math.max(start, end)),
    attributes: toAttributes(attributes),
    droppedAttributesCount: 0,
    events: [],
    droppedEventsCount: 0,
    status: { code: isError ? STATUS_ERROR : STATUS_UNSET },
    links: [],
    droppedLinksCount: 0,
    flags: FLAGS,
  };
}

// Milliseconds as a double are exact to less than a microsecond, nanoseconds are not.
function toNanoseconds(ms: number): string {
  return `${Math.floor(ms * 1000)}000`;
}

function toAttributes(values: Span["attributes"]) {
  return Object.entries(values).flatMap(([key, value]) =>
    value === null ? [] : [{ key, value: toValue(value) }],
  );
}

function toValue(value: string | number | boolean) {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  return Number.isInteger(value) ? { intValue: value } : { doubleValue: value };
}
