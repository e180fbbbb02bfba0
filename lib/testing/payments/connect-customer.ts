import { allTransports } from "@/lib/adapters/transports/registry";
import { startDispatch } from "@/lib/messaging/dispatch/dispatch-messages";
import { sql } from "@/lib/platform/database/db";
import { inboundSink } from "@/lib/runtime/wiring/inbound-sink";
import { callApi } from "@/lib/testing/call-api";
import type { TestAccount } from "@/lib/testing/create-test-account";
import { createDirectChat, createTestPhone } from "@/lib/testing/factories";
import { until } from "@/lib/testing/until";

/** Creates a customer with a simulated phone that has written to the account's line. */
export async function createCustomer(account: TestAccount): Promise<string> {
  const handle = await createTestPhone(account);
  await createDirectChat(account, handle);
  return handle;
}

/** Starts sending accepted messages, as the worker does. Returns a function that stops it. */
export function startSending(): () => Promise<void> {
  const running = [
    ...allTransports().flatMap((transport) => transport.start?.(inboundSink) ?? []),
    startDispatch(),
  ];
  return async () => {
    await Promise.all(running.map((part) => part.stop()));
  };
}

/** The texts of the messages that a phone received, newest first; null for a message without text. */
export async function readPhoneTexts(handle: string): Promise<(string | null)[]> {
  const rows = await sql.runText<{ text: string | null }>({
    text: `select parts->0->>'value' as text from simulator_messages
           where handle = $1 and sender <> $1 order by created_at desc, ref desc`,
    values: [handle],
  });
  return rows.map(({ text }) => text);
}

/**
 * Waits for a one-time code on a phone that had received `before` messages. Messages that were sent before the code may
 * arrive in between.
 */
export function untilCode(
  handle: string,
  { before, pattern }: { before: number; pattern: RegExp },
): Promise<string> {
  return until(async () => {
    const texts = await readPhoneTexts(handle);
    const arrived = texts.slice(0, texts.length - before);
    return arrived.map((text) => pattern.exec(text ?? "")?.[1]).find(Boolean);
  });
}

/** Asks a customer for consent and reads the code on the customer's phone. */
export async function requestCode(
  account: TestAccount,
  handle: string,
): Promise<{ connectId: string; code: string }> {
  const before = (await readPhoneTexts(handle)).length;
  const { status, body } = await callApi(`POST /v3/payments/handles/${handle}/connect`, {
    token: account.token,
  });
  if (status !== 200 || body.status !== "pending")
    throw new Error(`connect answered ${JSON.stringify(body)}`);
  const code = await untilCode(handle, { before, pattern: /^(\d{6}) is your code/ });
  return { connectId: body.connect_id, code };
}

/** Creates a customer who has given consent. */
export async function connectCustomer(account: TestAccount): Promise<string> {
  const handle = await createCustomer(account);
  const { connectId, code } = await requestCode(account, handle);
  const { body } = await callApi(`POST /v3/payments/handles/${handle}/verify`, {
    token: account.token,
    body: { code, connect_id: connectId },
  });
  if (body.status !== "connected") throw new Error(`verify answered ${JSON.stringify(body)}`);
  return handle;
}
