import "@/lib/testing/use-test-database";

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GET as showRoute } from "@/app/api/agent-payments/[paymentId]/route";
import { GET as listRoute } from "@/app/api/agent-payments/route";
import { GET as timelineRoute } from "@/app/api/chats/[chatId]/messages/route";
import { GET as chatsRoute } from "@/app/api/chats/route";
import { GET as eventRoute } from "@/app/api/events/[seq]/route";
import { GET as eventsRoute } from "@/app/api/events/route";
import { GET as deliveryRoute } from "@/app/api/webhooks/deliveries/[deliveryId]/route";
import { prisma, sql } from "@/lib/platform/database/db";
import { startRequestLog } from "@/lib/runtime/monitoring/observe-requests";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { tablesWith } from "@/lib/testing/database/tables-with";
import { connectCustomer, startSending } from "@/lib/testing/payments/connect-customer";
import { signInAs } from "@/lib/testing/sign-in/sign-in-as";
import { until } from "@/lib/testing/until";

let account: TestAccount;
let stopSending: () => Promise<void>;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  stopSending = startSending();
});

afterAll(() => stopSending());

const call = (what: `${string} ${string}`, body?: unknown) => callApi(what, { token: account.token, body });

/** Creates a connected customer whose payment waits for a card. Returns its attach link and the customer's chat. */
async function createAttaching() {
  const handle = await connectCustomer(account);
  const { body } = await call("POST /v3/payments", { amount_cents: 4200, currency: "usd", handle });
  const [chat] = await sql.runText<{ id: string }>({
    text: "select id from chats where account_id = $1 and recipient_handle = $2",
    values: [account.ref.id, handle],
  });
  const [payment] = await sql.runText<{ id: string }>({
    text: "select id from agent_payments where account_id = $1 and handle = $2",
    values: [account.ref.id, handle],
  });
  const link = String(body.attach_url);
  return {
    handle,
    link,
    secret: link.split("/").at(-1) ?? "",
    chatId: chat?.id ?? "",
    paymentId: payment?.id ?? "",
  };
}

describe("a wallet link", () => {
  test("is for tokens and for people who manage payments, on the page and in the list", async () => {
    const { handle, link, paymentId } = await createAttaching();
    const seenBy = async (role: "admin" | "developer" | "support" | "viewer") => {
      const user = await signInAs(account, role);
      const shown = await user.call(showRoute, { params: { paymentId } });
      const listed = await user.call(listRoute, { query: { handle } });
      return [shown.body.payment?.attach_url, listed.body.payments?.[0]?.attach_url];
    };
    expect(await seenBy("admin")).toEqual([link, link]);
    expect(await seenBy("developer")).toEqual([link, link]);
    expect(await seenBy("support")).toEqual([undefined, undefined]);
    expect(await seenBy("viewer")).toEqual([undefined, undefined]);
  });

  test("sent as a card reaches the phone alone: the database holds it nowhere else", async () => {
    const { handle, link, secret, chatId } = await createAttaching();
    const { status, body } = await call(`POST /v3/chats/${chatId}/messages`, {
      message: {
        experience: { name: "servicecard", action: "attach_card", params: { note: "For tonight" } },
      },
    });
    expect(status).toBe(202);
    expect(JSON.stringify(body)).not.toContain(secret);
    const onPhone = await until(async () => {
      const rows = await sql.runText<{ text: string }>({
        text: "select parts::text as text from simulator_messages where handle = $1 and parts::text like '%For tonight%'",
        values: [handle],
      });
      return rows[0]?.text;
    });
    expect(onPhone).toContain(link);
    expect(await tablesWith(secret)).toEqual(["simulator_messages"]);
    const { body: read } = await call(`GET /v3/messages/${body.message.id}`);
    expect(read.parts[0].url).toBe(`${new URL(link).origin}/wallet/attach/[redacted]`);
  });

  test("sent as text is in no view of the dashboard: chats, timeline, events, deliveries", async () => {
    const { link, secret, chatId } = await createAttaching();
    await call("POST /v3/webhook-subscriptions", {
      target_url: "https://example.com/hook",
      subscribed_events: ["message.sent"],
    });
    await call(`POST /v3/chats/${chatId}/messages`, {
      message: { parts: [{ type: "text", value: `Add your card here: ${link}` }] },
    });
    const delivery = await until(async () => {
      const rows = await sql.runText<{ id: string; seq: string }>({
        text: `select d.id, e.seq from webhook_deliveries d
               join events e on e.account_id = d.account_id and e.seq = d.event_seq
               where e.account_id = $1 and e.chat_id = $2 and e.data::text like '%Add your card%'`,
        values: [account.ref.id, chatId],
      });
      return rows[0];
    });
    const admin = await signInAs(account, "admin");
    const views = {
      chats: await admin.call(chatsRoute),
      timeline: await admin.call(timelineRoute, { params: { chatId } }),
      events: await admin.call(eventsRoute),
      event: await admin.call(eventRoute, { params: { seq: String(delivery.seq) } }),
      delivery: await admin.call(deliveryRoute, { params: { deliveryId: delivery.id } }),
    };
    for (const [name, { status, body }] of Object.entries(views)) {
      const text = JSON.stringify(body);
      expect([name, status, text.includes("Add your card here")]).toEqual([name, 200, true]);
      expect([name, text.includes(secret.slice(0, 40))]).toEqual([name, false]);
      expect([name, text.includes("/wallet/attach/[redacted]")]).toEqual([name, true]);
    }
  });

  test("is logged in no request that asked for it or sent it", async () => {
    const { handle, link, secret, chatId } = await createAttaching();
    const log = startRequestLog();
    await call("POST /v3/payments", { amount_cents: 4200, currency: "usd", handle });
    await call(`POST /v3/chats/${chatId}/messages`, {
      message: { parts: [{ type: "text", value: `Add your card here: ${link}` }] },
    });
    await log.stop();
    const rows = await prisma().apiRequest.findMany({ where: { accountId: account.ref.id } });
    const text = JSON.stringify(rows);
    expect(rows).toHaveLength(2);
    expect(text).toContain("/wallet/attach/[redacted]");
    expect(text).not.toContain(secret);
  });
});
