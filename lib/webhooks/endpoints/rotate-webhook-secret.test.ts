import "@/lib/testing/use-test-database";

import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import type { Context, Role } from "@/lib/platform/context";
import { unseal } from "@/lib/platform/crypto/crypto";
import { prisma } from "@/lib/platform/database/db";
import { now } from "@/lib/platform/time/clock";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { advance, runWebhookDelivery } from "@/lib/testing/events/run-webhook-delivery";
import type { Receiver } from "@/lib/testing/servers/start-receiver";
import { until } from "@/lib/testing/until";
import { rotateWebhookSecret } from "@/lib/webhooks/endpoints/rotate-webhook-secret";
import { switchWebhookSecret } from "@/lib/webhooks/endpoints/switch-webhook-secret";
import { signingSecretContext } from "@/lib/webhooks/signing/signing-secrets";
import { wipeEndedSecrets } from "@/lib/webhooks/signing/wipe-ended-secrets";

const HOUR_MS = 3_600_000;

const { account, emit, receive, subscribe } = runWebhookDelivery();

function rotate(id: string, overlapHours: number, ctx = account().context()) {
  return rotateWebhookSecret(ctx, { params: { subscriptionId: id }, body: { overlap_hours: overlapHours } });
}

function switchNow(id: string, endOverlap = false, ctx = account().context()) {
  return switchWebhookSecret(ctx, { params: { subscriptionId: id }, body: { end_overlap: endOverlap } });
}

async function auditsOf(id: string): Promise<string[]> {
  const rows = await prisma().auditEntry.findMany({ where: { objectId: id }, orderBy: { id: "asc" } });
  return rows.map(({ action }) => action.replace("webhook_subscription.", ""));
}

/**
 * A verification as partners wrote it before Standard Webhooks: hex HMAC over timestamp.body, keyed with the whole
 * secret text.
 */
function legacyAccepts(secret: string, { headers, body }: Receiver["received"][number]): boolean {
  const signed = `${headers["x-webhook-timestamp"]}.${body}`;
  return createHmac("sha256", secret).update(signed).digest("hex") === headers["x-webhook-signature"];
}

function standardAccepts(secret: string, { headers, body }: Receiver["received"][number]): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

/** Posts one event. Returns the secrets with which each verification method accepts it. */
async function accepted(receiver: Receiver, secrets: string[]) {
  const before = receiver.received.length;
  await emit();
  await until(() => receiver.received.length > before);
  const webhook = receiver.received.at(-1);
  if (webhook === undefined) throw new Error("nothing came");
  return {
    standard: secrets.map((secret) => standardAccepts(secret, webhook)),
    legacy: secrets.map((secret) => legacyAccepts(secret, webhook)),
  };
}

describe("with an overlap", () => {
  test("both kinds of receivers accept every delivery, before, during and after, and may change in between", async () => {
    const receiver = await receive();
    const { id, signing_secret: old } = await subscribe(receiver.url);
    expect(await accepted(receiver, [old])).toEqual({ standard: [true], legacy: [true] });

    const { signing_secret: fresh, previous_valid_until } = await rotate(id, 48);
    expect(fresh).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(new Date(previous_valid_until ?? 0).getTime() - now().getTime()).toBeGreaterThan(47.9 * HOUR_MS);
    const during = { standard: [true, true], legacy: [true, false] };
    expect(await accepted(receiver, [old, fresh])).toEqual(during);
    expect(receiver.received.at(-1)?.headers["webhook-signature"]?.split(" ")).toHaveLength(2);

    advance(47 * HOUR_MS);
    expect(await accepted(receiver, [old, fresh])).toEqual(during);
    advance(HOUR_MS);
    const afterwards = { standard: [false, true], legacy: [false, true] };
    expect(await accepted(receiver, [old, fresh])).toEqual(afterwards);
  });

  test("a switch moves the legacy signature, and may end the old secret", async () => {
    const receiver = await receive();
    const { id, signing_secret: old } = await subscribe(receiver.url);
    const { signing_secret: fresh } = await rotate(id, 168);

    await switchNow(id);
    expect(await accepted(receiver, [old, fresh])).toEqual({ standard: [true, true], legacy: [false, true] });
    await switchNow(id, true);
    expect(await accepted(receiver, [old, fresh])).toEqual({
      standard: [false, true],
      legacy: [false, true],
    });
    await expect(switchNow(id)).rejects.toThrow("rotate the secret first");
    expect(await auditsOf(id)).toEqual([
      "created",
      "secret_rotated",
      "secret_switched",
      "secret_overlap_ended",
    ]);
  });

  test("a retry is signed as of its own time", async () => {
    const receiver = await receive((response, count) => response.writeHead(count === 1 ? 500 : 200).end());
    const { id, signing_secret: old } = await subscribe(receiver.url);
    await emit();
    await until(() => receiver.received.length === 1);
    const { signing_secret: fresh } = await rotate(id, 0);
    advance(3000);
    await until(() => receiver.received.length === 2);
    const [first, second] = receiver.received;
    expect(first && standardAccepts(old, first)).toBe(true);
    expect(second && [standardAccepts(old, second), standardAccepts(fresh, second)]).toEqual([false, true]);
  });

  test("another one has to wait for its end, unless it replaces both secrets at once", async () => {
    const receiver = await receive();
    const { id, signing_secret: first } = await subscribe(receiver.url);
    const { signing_secret: second } = await rotate(id, 1);
    await expect(rotate(id, 1)).rejects.toThrow("is valid until");

    const { signing_secret: third, previous_valid_until } = await rotate(id, 0);
    expect(previous_valid_until).toBeNull();
    const only = { standard: [false, false, true], legacy: [false, false, true] };
    expect(await accepted(receiver, [first, second, third])).toEqual(only);

    await rotate(id, 1);
    advance(2 * HOUR_MS);
    await expect(rotate(id, 1)).resolves.toMatchObject({ signing_secret: expect.any(String) });
  });
});

describe("a secret", () => {
  test("is sealed at rest and wiped after the overlap; no audit entry knows it", async () => {
    const { id, signing_secret: old } = await subscribe("https://hooks.example.com/");
    const { signing_secret: fresh } = await rotate(id, 1);
    const row = async () => prisma().webhookSubscription.findFirstOrThrow({ where: { id } });
    const during = await row();
    expect(unseal(during.signingSecret, signingSecretContext(during.accountId, id))).toBe(fresh);
    expect(
      unseal(during.previousSecret ?? new Uint8Array(), signingSecretContext(during.accountId, id)),
    ).toBe(old);
    for (const secret of [old, fresh]) {
      expect(
        Buffer.concat([during.signingSecret, during.previousSecret ?? Buffer.alloc(0)]).includes(secret),
      ).toBe(false);
      expect(JSON.stringify(await prisma().auditEntry.findMany({ where: { objectId: id } }))).not.toContain(
        secret,
      );
    }

    await wipeEndedSecrets();
    expect((await row()).previousSecret).not.toBeNull();
    advance(HOUR_MS);
    await wipeEndedSecrets();
    expect(await row()).toMatchObject({
      previousSecret: null,
      previousSecretUntil: null,
      previousSignsLegacy: false,
    });
  });

  test("is replaced by people of the account only", async () => {
    const { id } = await subscribe("https://hooks.example.com/");
    const stranger = await createTestAccount({ type: "sandbox" });
    const as = (role: Role) => ({
      ...account().context(),
      actor: {
        type: "user",
        userId: id,
        name: "A",
        email: "a@example.com",
        role,
        hasFreshProof: true,
      } as const,
    });
    const acts = [(ctx: Context) => rotate(id, 1, ctx), (ctx: Context) => switchNow(id, false, ctx)];
    for (const act of acts) {
      await expect(act(stranger.context())).rejects.toMatchObject({ errorName: "access_denied" });
    }
    for (const role of ["admin", "developer"] as const) await rotate(id, 0, as(role));
  });
});
