import "server-only";
import { z } from "zod";
import { WebhookEnvelope } from "@/lib/events/render-event";
import type { AttemptResult } from "@/lib/webhooks/attempt-result";
import { explainAttempt } from "@/lib/webhooks/explain-attempt";

const Timing = z.object({
  dns_ms: z.number().nullable(),
  connect_ms: z.number().nullable(),
  tls_ms: z.number().nullable(),
  first_byte_ms: z.number().nullable(),
});

/** The result of a test delivery. */
export const TestResult = z.object({
  /** Whether the response was 2xx. */
  delivered: z.boolean(),
  status_code: z.int().nullable(),
  /** The reason why there was no response: timeout, refused, dns … */
  error: z.string().nullable(),
  /** The failure and the recommended action. */
  explanation: z.string().nullable(),
  latency_ms: z.number(),
  /** The duration of each step. null for steps that were not needed or not reached. */
  timing: Timing.nullable(),
  /** null when nothing was sent. */
  request: z.object({ url: z.string(), headers: z.record(z.string(), z.string()) }).nullable(),
  payload: WebhookEnvelope,
  response_headers: z.record(z.string(), z.string()).nullable(),
  /** The first 4 KB. */
  response_body: z.string().nullable(),
});

export type TestResult = z.infer<typeof TestResult>;

export function toTestResult(result: AttemptResult, payload: WebhookEnvelope): TestResult {
  const { error, request, statusCode, timing } = result;
  const explanation = explainAttempt(result);
  return {
    delivered: explanation === null,
    status_code: statusCode,
    error,
    explanation,
    latency_ms: result.latencyMs,
    timing: timing && {
      dns_ms: timing.dnsMs,
      connect_ms: timing.connectMs,
      tls_ms: timing.tlsMs,
      first_byte_ms: timing.firstByteMs,
    },
    request: request && { url: request.url, headers: request.headers },
    payload,
    response_headers: result.responseHeaders,
    response_body: result.responseBody,
  };
}
