import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "@/scripts/cli/api-client";
import { type Check, runCheck } from "@/scripts/cli/doctor/check";

/** One test per second and subscription. */
const REST_MS = 1100;

interface Subscription {
  id: string;
  target_url: string;
  is_active: boolean;
  subscribed_events: string[];
}

interface TestResult {
  delivered: boolean;
  status_code: number | null;
  error: string | null;
  explanation: string | null;
  latency_ms: number;
}

/**
 * Whether the instance reaches every webhook endpoint, and each endpoint verifies signatures: a test with a valid
 * signature must be accepted, the same with a wrong one rejected. Without `send`, only counts the endpoints.
 */
export async function checkWebhooks(client: ApiClient, { send }: { send: boolean }): Promise<Check[]> {
  const listed: Subscription[] = [];
  const list = await runCheck("webhooks", async () => {
    const { subscriptions } = await client.call<{ subscriptions: Subscription[] }>(
      "GET /v3/webhook-subscriptions",
    );
    listed.push(...subscriptions);
    const inactive = subscriptions.filter(({ is_active }) => !is_active);
    const detail = `${subscriptions.length} subscriptions${send ? "" : "; add --webhooks to send a test to each"}`;
    if (inactive.length === 0) return { status: "ok", detail };
    return {
      status: "warn",
      detail: `${detail}. Paused or disabled: ${inactive.map(({ target_url }) => target_url).join(", ")}`,
    };
  });
  const active = send ? listed.filter(({ is_active }) => is_active) : [];
  return [list, ...(await Promise.all(active.map((subscription) => checkEndpoint(client, subscription))))];
}

function checkEndpoint(
  client: ApiClient,
  { id, target_url, subscribed_events }: Subscription,
): Promise<Check> {
  const type = subscribed_events[0] ?? "message.received";
  const test = (signature: "valid" | "wrong") =>
    client.call<TestResult>(`POST /v3/webhook-subscriptions/${id}/test`, { body: { type, signature } });

  return runCheck(`webhook ${target_url}`, async () => {
    const valid = await test("valid");
    if (!valid.delivered) return { status: "fail", detail: valid.explanation ?? answerOf(valid) };
    await sleep(REST_MS);
    const wrong = await test("wrong");
    const reached = `reachable (${answerOf(valid)}, ${Math.round(valid.latency_ms)} ms)`;
    if (wrong.delivered) {
      return { status: "fail", detail: `${reached}, but it accepted a wrong signature. Verify signatures.` };
    }
    return { status: "ok", detail: `${reached}; it rejects a wrong signature (${answerOf(wrong)})` };
  });
}

function answerOf({ status_code, error }: TestResult): string {
  return String(status_code ?? error);
}
