import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterEach, expect, test } from "vitest";
import { startReceiver } from "@/lib/testing/servers/start-receiver";
import { SECRET_BYTES, toSigningSecret } from "@/lib/webhooks/signing/sign-webhook";
import { checkSignatures, describeCheck } from "@/scripts/cli/listen/check-signatures";

const secret = toSigningSecret(randomBytes(SECRET_BYTES));
let close: (() => Promise<void>) | undefined;

afterEach(() => close?.());

type Respond = (webhook: { headers: Record<string, string>; body: string }) => number;

async function serve(respond: Respond): Promise<string> {
  const receiver = await startReceiver((response) => {
    const webhook = receiver.received.at(-1);
    response.writeHead(webhook === undefined ? 500 : respond(webhook)).end();
  });
  close = receiver.close;
  return receiver.url;
}

test("a server that verifies signatures is distinguished from one that does not", async () => {
  const target = await serve(({ headers, body }) => {
    try {
      new Webhook(secret).verify(body, headers);
      return 200;
    } catch {
      return 401;
    }
  });
  const verified = await checkSignatures(target, secret);
  expect(verified).toMatchObject({ verifies: true, valid: { status: 200 }, wrong: { status: 401 } });
  expect(describeCheck(verified)).toContain("verifies signatures: 200 for a valid one, 401");
  close?.();

  const careless = await checkSignatures(await serve(() => 204), secret);
  expect(careless).toMatchObject({ verifies: false, wrong: { status: 204 } });
  expect(describeCheck(careless)).toContain("accepted a wrong signature (204)");
});

test("a server that is away, or rejects everything, is not called one that verifies", async () => {
  const away = await checkSignatures("http://127.0.0.1:1/hooks", secret);
  expect(away).toMatchObject({ verifies: null, valid: { status: null }, wrong: null });
  expect(describeCheck(away)).toContain("not reachable");

  const missing = await checkSignatures(await serve(() => 404), secret);
  expect(missing).toMatchObject({ verifies: null, valid: { status: 404 }, wrong: null });
});
