import "server-only";
import { z } from "zod";
import { WebhookEnvelope } from "@/lib/events/catalog/render-event";
import type { AttemptResult } from "@/lib/webhooks/deliveries/attempt/attempt-result";
import { explainAttempt } from "@/lib/webhooks/deliveries/explain-attempt";

const Timing = z.object({
  dns_ms: z.number().nullable().describe("Duration of the DNS lookup in milliseconds."),
  connect_ms: z.number().nullable().describe("Duration of the TCP connection in milliseconds."),
  tls_ms: z.number().nullable().describe("Duration of the TLS handshake in milliseconds."),
  first_byte_ms: z
    .number()
    .nullable()
    .describe("Time until the first byte of the response, in milliseconds."),
});

/** The result of a test delivery. */
export const TestResult = z
  .object({
    delivered: z.boolean().describe("`true` if the status code of the response was 2xx."),
    status_code: z
      .int()
      .nullable()
      .describe("HTTP status code of the response; `null` if there was no response."),
    error: z
      .string()
      .nullable()
      .describe("Reason for a missing response, such as `timeout`, `refused` or `dns`; `null` otherwise."),
    explanation: z.string().nullable().describe("The failure and the recommended action; `null` on success."),
    latency_ms: z.number().describe("Duration of the test in milliseconds."),
    timing: Timing.nullable().describe(
      "Duration of each step. `null` for a step that was not needed or not reached.",
    ),
    request: z
      .object({
        url: z.string().describe("URL that the test was sent to."),
        headers: z.record(z.string(), z.string()).describe("Headers of the test, with its signatures."),
      })
      .nullable()
      .describe("The request; `null` when nothing was sent."),
    payload: WebhookEnvelope.describe("The event that was sent."),
    response_headers: z
      .record(z.string(), z.string())
      .nullable()
      .describe("Headers of the response; `null` if there was no response."),
    response_body: z
      .string()
      .nullable()
      .describe("The first 4 KB of the response; `null` if there was none."),
  })
  .meta({
    examples: [
      {
        delivered: true,
        status_code: 200,
        error: null,
        explanation: null,
        latency_ms: 84,
        timing: { dns_ms: 2, connect_ms: 11, tls_ms: 24, first_byte_ms: 46 },
        request: { url: "https://example.com/webhooks/trunkline", headers: { "x-webhook-test": "true" } },
        payload: {
          api_version: "v3",
          webhook_version: "2026-02-03",
          event_type: "chat.typing_indicator.started",
          event_id: "019ca9c2-9c40-7f86-9a55-70b162930415",
          created_at: "2026-03-01T12:00:09.000Z",
          trace_id: "4bf92f3577b34da6a3ce929d0e0e4736",
          partner_id: "019ca9c0-0000-7000-8000-5a1f0c9e2b34",
          data: { chat_id: "019ca9c2-4c02-7c53-ad22-4d8e3f607182", actor_handle: null },
        },
        response_headers: { "content-type": "text/plain" },
        response_body: "ok",
      },
    ],
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
