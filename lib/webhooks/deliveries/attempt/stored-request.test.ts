import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { toPostedRequest, toStoredRequest } from "@/lib/webhooks/deliveries/attempt/stored-request";
import { signWebhook } from "@/lib/webhooks/signing/sign-webhook";

const ORIGIN = {
  eventId: "01a00000-0000-7000-8000-000000000001",
  eventType: "message.sent",
  subscriptionId: "01a00000-0000-7000-8000-000000000002",
};

function secret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/** A request as post-webhook.ts makes it, with `more` headers. */
function posted(secrets: string[], more: Record<string, string> = {}) {
  const signature = signWebhook(
    { legacy: secrets[0] ?? "", all: secrets },
    { ...ORIGIN, body: '{"a":1}', sentAt: new Date(1_790_000_000_000) },
  );
  const fixed = { "content-type": "application/json", "user-agent": "Trunkline-Webhooks/1" };
  return {
    url: "https://hooks.example.com/",
    version: "2026-02-03",
    headers: { ...fixed, ...more, ...signature },
  };
}

describe("a request is read as it was posted", () => {
  test.each([
    ["alone", posted([secret()])],
    ["during the overlap of two secrets", posted([secret(), secret()])],
    ["by a replay", posted([secret()], { "x-webhook-replay": "true", "x-webhook-replay-id": "r" })],
    ["with a routing token", posted([secret()], { "linq-chat-id": "c", "x-route": "token" })],
    ["by a release with another user agent", posted([secret()], { "user-agent": "Trunkline-Webhooks/2" })],
    ["without a header", { ...posted([secret()]), headers: { "webhook-timestamp": "1" } }],
    ["without any header", { ...posted([secret()]), headers: {} }],
  ])("%s", (_case, request) => {
    const stored = JSON.parse(JSON.stringify(toStoredRequest(request, ORIGIN)));
    expect(toPostedRequest(stored, ORIGIN)).toEqual(request);
  });
});

test("only the URL, the version and the signatures of an ordinary request are stored", () => {
  const request = posted([secret()]);
  const stored = toStoredRequest(request, ORIGIN);
  expect(Object.keys(stored)).toEqual(["url", "version", "signed"]);
  expect(JSON.stringify(stored).length * 2).toBeLessThan(JSON.stringify(request).length);
});

test("a request that an earlier release stored with all headers is read unchanged", () => {
  const request = posted([secret()]);
  const other = { ...ORIGIN, eventType: "message.delivered" };
  expect(toPostedRequest(request, other)).toEqual(request);
});
