import "server-only";
import { z } from "zod";
import type { WebhookAttempt } from "@/lib/platform/prisma/client";
import {
  PostedRequest,
  type RequestOrigin,
  toPostedRequest,
} from "@/lib/webhooks/deliveries/attempt/stored-request";
import { explainOutcome } from "@/lib/webhooks/deliveries/explain-attempt";

const ResponseHeaders = z.record(z.string(), z.string());

/** A recorded HTTP exchange of a delivery. */
export const RecordedAttempt = z.object({
  number: z.int(),
  started_at: z.iso.datetime(),
  latency_ms: z.number(),
  /** null for steps that were not needed (an open connection) or not reached. */
  timing: z.object({
    dns_ms: z.number().nullable(),
    connect_ms: z.number().nullable(),
    tls_ms: z.number().nullable(),
    /** From sending the request to the first byte of the response. */
    first_byte_ms: z.number().nullable(),
  }),
  status_code: z.int().nullable(),
  /** The reason why there was no response. */
  error: z.string().nullable(),
  /** The failure and the recommended action. null for a success. */
  explanation: z.string().nullable(),
  /** The request without its body, including signatures. null when nothing was sent. */
  request: PostedRequest.nullable(),
  response_headers: ResponseHeaders.nullable(),
  /** The first 4 KB as text, for every content type. Never rendered. */
  response_body: z.string().nullable(),
});

export type RecordedAttempt = z.infer<typeof RecordedAttempt>;

export function toRecordedAttempt(row: WebhookAttempt, origin: RequestOrigin): RecordedAttempt {
  return {
    number: row.number,
    started_at: row.startedAt.toISOString(),
    latency_ms: row.latencyMs,
    timing: {
      dns_ms: row.dnsMs,
      connect_ms: row.connectMs,
      tls_ms: row.tlsMs,
      first_byte_ms: row.firstByteMs,
    },
    status_code: row.statusCode,
    error: row.error,
    explanation: explainOutcome(row.error ?? String(row.statusCode)),
    request: row.request === null ? null : toPostedRequest(row.request, origin),
    response_headers: ResponseHeaders.nullable().parse(row.responseHeaders),
    response_body: row.responseBody,
  };
}
