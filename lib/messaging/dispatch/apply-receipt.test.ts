import "@/lib/testing/use-test-database";
import { beforeAll, describe, expect, test } from "vitest";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { applyReceipt, ReceiptTooEarly } from "@/lib/messaging/dispatch/apply-receipt";
import { startDispatch } from "@/lib/messaging/dispatch/dispatch-messages";
import { sql } from "@/lib/platform/database/db";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import {
  acceptTestMessage,
  createDirectChat,
  createTestPhone,
  eventsOfMessage,
  readMessage,
  untilStatus,
} from "@/lib/testing/factories";
import { lineOf } from "@/lib/testing/line-of";

let account: TestAccount;
let line: LineRef;
let chatId: string;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  line = await lineOf(account);
  chatId = await createDirectChat(account, await createTestPhone(account));
});

/**
 * A message that the transport has accepted. The transport's own loop is off, so that only the test reports receipts.
 */
async function sendMessage(): Promise<string> {
  const dispatch = startDispatch();
  const id = await acceptTestMessage(account, chatId);
  await untilStatus(account, id, "sent");
  await dispatch.stop();
  return id;
}

const report = (type: "delivered" | "read", ref: string, at = new Date()) =>
  applyReceipt(line, { type, ref, at });

async function typesOf(id: string): Promise<string[]> {
  return (await eventsOfMessage(account, id)).map((event) => event.type);
}

describe("receipts", () => {
  test("in order and repeated: each time and each event once", async () => {
    const id = await sendMessage();
    const at = new Date("2026-01-02T03:04:05.678Z");
    await report("delivered", id, at);
    await report("delivered", id);
    await report("read", id);
    await report("read", id);
    const message = await readMessage(account, id);
    expect(message).toMatchObject({ delivery_status: "read", delivered_at: at.toISOString() });
    expect(await typesOf(id)).toEqual(["message.sent", "message.delivered", "message.read"]);
  });

  test("read before delivered sets both times, and the late one changes nothing", async () => {
    const id = await sendMessage();
    const at = new Date();
    await report("read", id, at);
    await report("delivered", id);
    const message = await readMessage(account, id);
    expect(message).toMatchObject({
      delivery_status: "read",
      delivered_at: at.toISOString(),
      read_at: at.toISOString(),
    });
    expect(await typesOf(id)).toEqual(["message.sent", "message.delivered", "message.read"]);
  });

  test("at once: whatever comes first, both end as read with one event each", async () => {
    const id = await sendMessage();
    await Promise.all([
      report("read", id),
      report("delivered", id),
      report("delivered", id),
      report("read", id),
    ]);
    expect((await readMessage(account, id)).delivery_status).toBe("read");
    expect(await typesOf(id)).toEqual(["message.sent", "message.delivered", "message.read"]);
  });

  test("a failure after delivery changes nothing", async () => {
    const id = await sendMessage();
    await report("delivered", id);
    const error = new AdapterError("undeliverable", "too late");
    await applyReceipt(line, { type: "failed", ref: id, at: new Date(), error });
    expect((await readMessage(account, id)).delivery_status).toBe("delivered");
  });

  test("of a message that is with the transport right now come too early", async () => {
    const id = await acceptTestMessage(account, chatId);
    await sql.runText({
      text: `update messages set dispatch_lease_until = clock_timestamp() + interval '1 minute'
             where account_id = $1 and id = $2`,
      values: [account.ref.id, id],
    });
    const receipt = { type: "delivered", ref: id, messageId: id, service: "RCS", at: new Date() } as const;
    await expect(applyReceipt(line, receipt)).rejects.toBeInstanceOf(ReceiptTooEarly);
    // The ref may still become known.
    await expect(report("delivered", "never seen")).rejects.toBeInstanceOf(ReceiptTooEarly);

    await sql.runText({
      text: "update messages set dispatch_lease_until = null where account_id = $1 and id = $2",
      values: [account.ref.id, id],
    });
    await applyReceipt(line, receipt);
    expect(await typesOf(id)).toEqual(["message.sent", "message.delivered"]);
    expect((await readMessage(account, id)).service).toBe("RCS");
  });

  test("over an unknown service prove no more than that the message was sent", async () => {
    const id = await acceptTestMessage(account, chatId);
    await applyReceipt(line, { type: "delivered", ref: id, messageId: id, at: new Date() });
    expect(await typesOf(id)).toEqual(["message.sent"]);
  });

  test("of a message that no account sent are ignored", async () => {
    await sendMessage();
    await report("delivered", "unknown-ref");
  });

  test("of an inbound message do not change it", async () => {
    const [inbound] = await sql.runText<{ id: string }>({
      text: "select id from messages where account_id = $1 and not is_from_me limit 1",
      values: [account.ref.id],
    });
    const id = inbound?.id ?? "";
    await applyReceipt(line, { type: "delivered", ref: "x", messageId: id, at: new Date() });
    expect((await readMessage(account, id)).delivery_status).toBe("received");
  });
});
