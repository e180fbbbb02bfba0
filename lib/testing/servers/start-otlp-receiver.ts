import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const Value = z.union([
  z.object({ stringValue: z.string() }).strict(),
  z.object({ intValue: z.int() }).strict(),
  z.object({ doubleValue: z.number() }).strict(),
  z.object({ boolValue: z.boolean() }).strict(),
]);
const Attributes = z.array(z.object({ key: z.string(), value: Value }).strict());

/** A span as opentelemetry.proto.trace.v1.Span describes it in JSON. */
const OtlpSpan = z
  .object({
    traceId: z.string().regex(/^[0-9a-f]{32}$/),
    spanId: z.string().regex(/^[0-9a-f]{16}$/),
    parentSpanId: z
      .string()
      .regex(/^[0-9a-f]{16}$/)
      .optional(),
    name: z.string().min(1),
    kind: z.int().min(1).max(5),
    startTimeUnixNano: z.string().regex(/^\d{19}$/),
    endTimeUnixNano: z.string().regex(/^\d{19}$/),
    attributes: Attributes,
    droppedAttributesCount: z.literal(0),
    events: z.tuple([]),
    droppedEventsCount: z.literal(0),
    status: z.object({ code: z.int().min(0).max(2) }).strict(),
    links: z.tuple([]),
    droppedLinksCount: z.literal(0),
    flags: z.int(),
  })
  .strict();

const Export = z
  .object({
    resourceSpans: z.array(
      z
        .object({
          resource: z.object({ attributes: Attributes, droppedAttributesCount: z.literal(0) }).strict(),
          scopeSpans: z.array(
            z
              .object({
                scope: z.object({ name: z.string(), version: z.string() }).strict(),
                spans: z.array(OtlpSpan),
              })
              .strict(),
          ),
        })
        .strict(),
    ),
  })
  .strict();

type ReceivedSpan = z.infer<typeof OtlpSpan>;

export interface OtlpReceiver {
  url: string;
  /** The text of every request. */
  lines: string[];
  spans(): ReceivedSpan[];
  stop(): Promise<void>;
}

/** Starts a trace collector in its own process. It accepts only what the OTLP specification allows. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const child = spawn(process.execPath, [fileURLToPath(new URL("./otlp-receiver.mjs", import.meta.url))], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines: string[] = [];
  const output = createInterface({ input: child.stdout });
  const [port] = await once(output, "line");
  output.on("line", (line) => lines.push(line));
  return {
    url: `http://127.0.0.1:${port}`,
    lines,
    spans: () =>
      lines.flatMap((line) =>
        Export.parse(JSON.parse(line).body).resourceSpans.flatMap(({ scopeSpans }) =>
          scopeSpans.flatMap(({ spans }) => spans),
        ),
      ),
    async stop() {
      const exited = once(child, "exit");
      child.kill();
      await exited;
    },
  };
}

/** The attributes of a span by name. */
export function attributesOf({ attributes }: Pick<ReceivedSpan, "attributes">): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
