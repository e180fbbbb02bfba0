import "server-only";
import { toAdapterError } from "@/lib/adapters/with-timeout";
import type { ClaimedMessage } from "@/lib/messaging/dispatch/claim/claim-statement";
import type { ServiceType } from "@/lib/platform/prisma/enums";
import {
  isTracing,
  parentOfStep,
  recordSpan,
  type Span,
  spanTime,
  stepSpanId,
} from "@/lib/platform/telemetry/spans";

/** Records one attempt to send a message, from its claim to the stored result, as a step of the message's trace. */
export function traceDispatch(
  message: ClaimedMessage,
  { start, result }: { start: number; result: { type: string; error?: string } },
): void {
  recordSpan({
    traceId: message.trace_id,
    spanId: dispatchSpanId(message),
    parentSpanId: parentOfStep(message.trace_id),
    name: "dispatch message",
    kind: "consumer",
    start,
    end: spanTime(),
    attributes: {
      ...attributesOf(message),
      "trunkline.result": result.type,
      "error.type": result.error ?? null,
    },
    isError: result.type === "failed",
  });
}

/** Runs the transport's send and records its duration as a step of the attempt. */
export async function traceSend<Result>(
  message: ClaimedMessage,
  service: ServiceType,
  send: () => Promise<Result>,
): Promise<Result> {
  if (!isTracing()) return send();
  const start = spanTime();
  const record = (errorKind: string | null) =>
    recordSpan({
      traceId: message.trace_id,
      spanId: stepSpanId("transport send", `${message.id} ${message.attempt}`),
      parentSpanId: dispatchSpanId(message),
      name: "transport send",
      kind: "client",
      start,
      end: spanTime(),
      attributes: { ...attributesOf(message), "trunkline.service": service, "error.type": errorKind },
      isError: errorKind !== null,
    });
  try {
    const result = await send();
    record(null);
    return result;
  } catch (error) {
    record(toAdapterError(error).kind);
    throw error;
  }
}

function dispatchSpanId({ id, attempt }: ClaimedMessage): string {
  return stepSpanId("dispatch message", `${id} ${attempt}`);
}

function attributesOf(message: ClaimedMessage): Span["attributes"] {
  return {
    "trunkline.account.id": message.account_id,
    "trunkline.message.id": message.id,
    "trunkline.line.id": message.line_id,
    "trunkline.transport": message.transport,
    "trunkline.attempt": message.attempt,
  };
}
