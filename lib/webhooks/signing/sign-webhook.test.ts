import { createHmac } from "node:crypto";
import LinqAPIV3 from "@linqapp/sdk";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { secretBytes } from "@/lib/platform/ids";
import { isSignedWebhook, signWebhook, toSigningSecret } from "@/lib/webhooks/signing/sign-webhook";

const secret = toSigningSecret(secretBytes(32));
const older = toSigningSecret(secretBytes(32));
const signable = {
  subscriptionId: "019ca9c2-4c00-7a31-8f00-2b6c1d4e5f60",
  eventId: "019ca9c2-9c40-7f86-9a55-70b162930415",
  eventType: "message.sent",
  body: JSON.stringify({ event_type: "message.sent", data: { text: "schön 🎉" } }),
};
const sdk = new LinqAPIV3({ apiKey: "none" });

function sign(body = signable.body, secrets = { legacy: secret, all: [secret] }) {
  return signWebhook(secrets, { ...signable, body, sentAt: new Date() });
}

function legacySignature(key: string, timestamp: string, body: string): string {
  return createHmac("sha256", Buffer.from(key, "utf8")).update(`${timestamp}.${body}`).digest("hex");
}

test("a secret is whsec_ and 32 bytes in padded base64", () => {
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
});

describe("every delivery verifies", () => {
  test("with the Standard Webhooks library", () => {
    expect(new Webhook(secret).verify(signable.body, sign())).toEqual(JSON.parse(signable.body));
  });

  test("with client.webhooks.unwrap of the official client", () => {
    const unwrapped = sdk.webhooks.unwrap(signable.body, { headers: sign(), key: secret });
    expect(unwrapped).toEqual(JSON.parse(signable.body));
  });

  test("with the legacy headers, checked by hand", () => {
    const headers = sign();
    expect(headers["x-webhook-signature"]).toBe(
      legacySignature(secret, headers["x-webhook-timestamp"] ?? "", signable.body),
    );
    expect(headers["x-webhook-event"]).toBe(signable.eventType);
    expect(headers["x-webhook-subscription-id"]).toBe(signable.subscriptionId);
    expect(headers["x-webhook-timestamp"]).toBe(headers["webhook-timestamp"]);
  });

  test("property: whatever the body is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const body = JSON.stringify({ text });
        expect(new Webhook(secret).verify(body, sign(body))).toEqual({ text });
      }),
    );
  });
});

describe("what was tampered with is refused", () => {
  const headers = sign();

  test.each([
    ["another body", signable.body.replace("sent", "read"), headers],
    ["a blank more", `${signable.body} `, headers],
    ["another id", signable.body, { ...headers, "webhook-id": "019ca9c2-9c40-7f86-9a55-70b162930416" }],
    [
      "another time",
      signable.body,
      { ...headers, "webhook-timestamp": String(Number(headers["webhook-timestamp"]) + 1) },
    ],
  ])("%s", (_what, body, sent) => {
    expect(() => new Webhook(secret).verify(body, sent)).toThrow();
    expect(() => sdk.webhooks.unwrap(body, { headers: sent, key: secret })).toThrow();
  });

  test("another secret, and an old timestamp", () => {
    expect(() => new Webhook(older).verify(signable.body, headers)).toThrow();
    const sentAt = new Date(Date.now() - 6 * 60_000);
    const late = signWebhook({ legacy: secret, all: [secret] }, { ...signable, sentAt });
    expect(() => new Webhook(secret).verify(signable.body, late)).toThrow();
  });
});

test("while one secret replaces another, both verify and the legacy header keeps the old one", () => {
  const headers = sign(signable.body, { legacy: older, all: [secret, older] });
  for (const valid of [secret, older]) new Webhook(valid).verify(signable.body, headers);
  expect(headers["x-webhook-signature"]).toBe(
    legacySignature(older, headers["x-webhook-timestamp"] ?? "", signable.body),
  );
});

describe("a signed webhook is recognized", () => {
  const at = new Date("2026-11-22T12:00:00Z");
  const seconds = Math.floor(at.getTime() / 1000);

  /** Whether a webhook signed at `at` is recognized, with the changes of a test case. */
  function isRecognized({
    secrets = [secret],
    signedWith = [secret],
    body = signable.body,
    headers = {},
    now = at,
  }: {
    secrets?: string[];
    signedWith?: string[];
    body?: string;
    headers?: Record<string, string>;
    now?: Date;
  } = {}): boolean {
    const signed = signWebhook({ legacy: secret, all: signedWith }, { ...signable, sentAt: at });
    return isSignedWebhook(secrets, { headers: new Headers({ ...signed, ...headers }), body, at: now });
  }

  function secondsLater(count: number): Date {
    return new Date(at.getTime() + count * 1000);
  }

  test("with any of the secrets, on either side", () => {
    expect(isRecognized()).toBe(true);
    expect(isRecognized({ secrets: [older, secret] })).toBe(true);
    expect(isRecognized({ signedWith: [older, secret] })).toBe(true);
    expect(isRecognized({ secrets: [older] })).toBe(false);
    expect(isRecognized({ secrets: [] })).toBe(false);
  });

  test("only with the body, the id and the timestamp it was signed with", () => {
    expect(isRecognized({ body: `${signable.body} ` })).toBe(false);
    expect(isRecognized({ headers: { "webhook-id": "019ca9c2-9c40-7f86-9a55-70b162930416" } })).toBe(false);
    expect(isRecognized({ headers: { "webhook-timestamp": String(seconds + 1) } })).toBe(false);
    expect(isRecognized({ headers: { "webhook-id": "" } })).toBe(false);
    expect(isRecognized({ headers: { "webhook-signature": "" } })).toBe(false);
  });

  test("for five minutes before and after its timestamp", () => {
    expect(isRecognized({ now: secondsLater(300) })).toBe(true);
    expect(isRecognized({ now: secondsLater(-300) })).toBe(true);
    expect(isRecognized({ now: secondsLater(301) })).toBe(false);
    expect(isRecognized({ now: secondsLater(-301) })).toBe(false);
  });

  test.each(["", " ", "soon", `${seconds}.0`, `+${seconds}`, `0x${seconds.toString(16)}`, `000${seconds}`])(
    "not with the timestamp %j, even if it was signed",
    (timestamp) => {
      const headers = new Headers({
        "webhook-id": signable.eventId,
        "webhook-timestamp": timestamp,
        "webhook-signature": `v1,${createHmac("sha256", Buffer.from(secret.slice(6), "base64"))
          .update(`${signable.eventId}.${timestamp}.${signable.body}`)
          .digest("base64")}`,
      });
      expect(isSignedWebhook([secret], { headers, body: signable.body, at })).toBe(false);
    },
  );

  test("not without its headers, and among no more than five signatures", () => {
    expect(isSignedWebhook([secret], { headers: new Headers(), body: signable.body, at })).toBe(false);
    expect(isRecognized({ signedWith: [older, older, older, older, secret] })).toBe(true);
    expect(isRecognized({ signedWith: [older, older, older, older, older, secret] })).toBe(false);
  });
});
