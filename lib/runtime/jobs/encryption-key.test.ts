import "@/lib/testing/use-test-database";
import { globSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { setLineConnection } from "@/lib/lines/connections/line-connection";
import { PaymentRequestBody } from "@/lib/payments/requests/create/payment-request-body";
import { createPaymentRequest } from "@/lib/payments/requests/create-payment-request";
import { prisma, sql, transaction } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import { ensurePepper } from "@/lib/recipients/erased-handles/handle-pepper";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { testKey, withEncryptionKey } from "@/lib/testing/with-encryption-key";

const OWN = process.env.ENCRYPTION_KEY ?? "";
const SECOND = testKey("2", 2);
const WRONG = testKey("1", 9);

afterEach(() => {
  process.env.ENCRYPTION_KEY = OWN;
});

beforeEach(() => sql.runText({ text: "delete from key_canaries" }));

/** Starts like a process with these keys. */
async function start(keys: string): Promise<void> {
  const { checkEncryptionKey } = await withEncryptionKey(
    keys,
    () => import("@/lib/operations/startup/check-encryption-key"),
  );
  await checkEncryptionKey();
}

async function reseal(keys: string) {
  const { resealSecrets, retireOtherKeys } = await withEncryptionKey(keys, async () => ({
    ...(await import("@/lib/runtime/jobs/reseal-secrets")),
    ...(await import("@/lib/operations/startup/check-encryption-key")),
  }));
  const result = await resealSecrets();
  await retireOtherKeys();
  return result;
}

async function subscribe(account: TestAccount): Promise<{ id: string; signing_secret: string }> {
  const { body } = await callApi("POST /v3/webhook-subscriptions", {
    token: account.token,
    body: { target_url: "https://hooks.example.com/", subscribed_events: ["message.sent"] },
  });
  return body;
}

/** Reads the signing secret, the hash of a handle, the session and the line's connection like a process with these keys. */
async function readAs(keys: string, subscriptionId: string, requestId: string) {
  const { unseal, signingSecretContext, checkoutSessionContext, openConnection, hashHandle } =
    await withEncryptionKey(keys, async () => ({
      ...(await import("@/lib/recipients/erased-handles/handle-pepper")),
      ...(await import("@/lib/platform/crypto/crypto")),
      ...(await import("@/lib/webhooks/signing/signing-secrets")),
      ...(await import("@/lib/payments/requests/checkout-session")),
      ...(await import("@/lib/lines/connections/line-connection")),
    }));
  const webhook = await prisma().webhookSubscription.findFirstOrThrow({ where: { id: subscriptionId } });
  const request = await prisma().paymentRequest.findFirstOrThrow({ where: { id: requestId } });
  const line = await prisma().line.findFirstOrThrow({ where: { accountId: request.accountId } });
  const owner = await prisma().account.findFirstOrThrow({ where: { id: request.accountId } });
  const pepper = owner.handlePepper ?? new Uint8Array();
  return {
    hash: hashHandle(owner.id, pepper, "+15550100101").toString("hex"),
    secret: unseal(webhook.signingSecret, signingSecretContext(webhook.accountId, webhook.id)),
    session: unseal(request.sessionSealed, checkoutSessionContext(request)),
    connection: openConnection(line, line.connection ?? new Uint8Array()),
  };
}

test("a start with another key under the same id is refused, in a sentence that names the setting", async () => {
  await start(OWN);
  await start(OWN);
  await expect(start(WRONG)).rejects.toThrow(/^ENCRYPTION_KEY is wrong: its key "1" can't decrypt/);
});

test("a second key may be added in front; its removal, and that of the first, is refused until reseal", async () => {
  await start(OWN);
  await start(`${SECOND},${OWN}`);
  await expect(start(SECOND)).rejects.toThrow(/does not contain the key "1".*npm run admin -- reseal/);
  await expect(start(OWN)).rejects.toThrow('does not contain the key "2"');

  await reseal(`${SECOND},${OWN}`);

  await start(SECOND);
  await expect(start(WRONG)).rejects.toThrow('does not contain the key "2"');
});

test("a database of an earlier version is not opened with a wrong key either", async () => {
  await subscribe(await createTestAccount({ type: "production" }));
  await expect(start(WRONG)).rejects.toThrow("ENCRYPTION_KEY is wrong");
  expect(await sql.runText({ text: "select from key_canaries" })).toEqual([]);
  await start(OWN);
});

test("every context that something stored is sealed in is known to reseal", () => {
  const reseals = readFileSync("lib/runtime/jobs/reseal-secrets.ts", "utf8");
  const files = globSync("lib/**/*.ts").filter((file) => !/test\.ts$|^lib\/testing\//.test(file));
  const contexts = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/\bseal\([^;]*?\b(\w+Context)\(/g)].map(([, name]) => name),
  );
  expect(contexts.length).toBeGreaterThan(9);
  expect([...new Set(contexts)].filter((name) => !reseals.includes(`${name}`))).toEqual([]);
});

test("reseal moves the sources of late files and emails that have not left, too", async () => {
  const account = await createTestAccount({ type: "sandbox" });
  const { seal, sourceContext, mailContext } = await withEncryptionKey(OWN, async () => ({
    ...(await import("@/lib/platform/crypto/crypto")),
    ...(await import("@/lib/messaging/inbound/awaited-files")),
    ...(await import("@/lib/identity/mail/queue-mail")),
  }));
  const line = await prisma().line.findFirstOrThrow({ where: { accountId: account.ref.id } });
  const created = await callApi("POST /v3/attachments", {
    token: account.token,
    body: { filename: "a.png", content_type: "image/png", size_bytes: 5 },
  });
  const file: string = created.body.attachment_id;
  const mail = newId(Date.now());
  await sql.runText({
    text: `insert into awaited_files (account_id, attachment_id, line_id, message_id, source, due_at)
           values ($1, $2, $3, $2, $4, now())`,
    values: [account.ref.id, file, line.id, seal("a source", sourceContext(account.ref.id, file))],
  });
  await sql.runText({
    text: `insert into outgoing_mails (id, type, recipient, sealed, created_at, give_up_at)
           values ($1, 'invitation', 'a@example.com', $2, now(), now())`,
    values: [mail, seal("a mail", mailContext(mail))],
  });

  await start(OWN);
  await reseal(`${SECOND},${OWN}`);
  const read = await withEncryptionKey(SECOND, () => import("@/lib/platform/crypto/crypto"));
  const [row] = await sql.runText<{ source: Buffer; sealed: Buffer }>({
    text: "select source, sealed from awaited_files, outgoing_mails where attachment_id = $1 and id = $2",
    values: [file, mail],
  });
  expect(read.unseal(row?.source ?? Buffer.alloc(0), sourceContext(account.ref.id, file))).toBe("a source");
  expect(read.unseal(row?.sealed ?? Buffer.alloc(0), mailContext(mail))).toBe("a mail");
});

test("reseal moves every secret to the first key, and the old key is no longer needed", async () => {
  const account = await createTestAccount({ type: "sandbox" });
  const { id, signing_secret } = await subscribe(account);
  const request = await createPaymentRequest(account.context(), {
    headers: {},
    body: PaymentRequestBody.parse({ amount: 500, currency: "usd" }),
  });
  await callApi(`POST /v3/payment_requests/${request.id}/cancel`, { token: account.token });
  const line = await prisma().line.findFirstOrThrow({ where: { accountId: account.ref.id } });
  await setLineConnection({ accountId: account.ref.id, id: line.id }, { secret: "vendor-secret" });
  await transaction((tx) => ensurePepper(tx, account.ref.id));
  const before = await readAs(OWN, id, request.id);
  expect(before).toMatchObject({ secret: signing_secret, connection: { secret: "vendor-secret" } });

  const { resealed, unreadable } = await reseal(`${SECOND},${OWN}`);

  expect(resealed).toBeGreaterThanOrEqual(5);
  expect(unreadable).toBe(0);
  expect(await readAs(SECOND, id, request.id)).toEqual(before);
  expect(await checkoutUrlOf(SECOND, request.id)).toContain(before.session);
  expect(await reseal(SECOND)).toEqual({ resealed: 0, unreadable: 0 });
  // Reseals under the key of the other tests.
  await reseal(`${OWN},${SECOND}`);
});

/** The link in the event of the request's end, rendered by a process with these keys. */
async function checkoutUrlOf(keys: string, requestId: string): Promise<string> {
  const { renderEvent } = await withEncryptionKey(keys, () => import("@/lib/events/catalog/render-event"));
  const event = await prisma().event.findFirstOrThrow({
    where: { type: "payment.canceled", data: { path: ["id"], equals: requestId } },
    select: { id: true, type: true, traceId: true, data: true, createdAt: true },
  });
  return JSON.stringify(renderEvent(event, "partner", "2026-02-03"));
}

test("a secret no key opens is counted and left as it is", async () => {
  const account = await createTestAccount({ type: "production" });
  const { id } = await subscribe(account);
  await sql.runText({
    text: "update webhook_subscriptions set signing_secret = '\\x0201' where id = $1",
    values: [id],
  });
  expect((await reseal(OWN)).unreadable).toBe(1);
});
