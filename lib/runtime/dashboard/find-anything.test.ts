import "@/lib/testing/use-test-database";
import { beforeAll, describe, expect, test } from "vitest";
import * as FIND from "@/app/api/find/route";
import { emitEvents } from "@/lib/events/store/emit-event";
import { prisma, sql, transaction } from "@/lib/platform/database/db";
import { newId, newTraceId } from "@/lib/platform/ids";
import type { Finding } from "@/lib/runtime/dashboard/finding";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { testEvent } from "@/lib/testing/events/test-event";
import { acceptTestMessage, createDirectChat, createTestPhone } from "@/lib/testing/factories";
import { logTestRequests } from "@/lib/testing/log-test-requests";
import { requestPayment } from "@/lib/testing/payments/payment-requests";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";
import { createTestGroup } from "@/lib/testing/test-chats";

let account: TestAccount;
let admin: DashboardUser;
let viewer: DashboardUser;
let stranger: DashboardUser;
let phone: string;
let chatId: string;
let messageId: string;
let lineId: string;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  admin = await signInAs(account, "admin");
  viewer = await signInAs(account, "viewer");
  stranger = await signInAs(await createTestAccount({ type: "sandbox" }), "admin");
  phone = await createTestPhone(account);
  chatId = await createDirectChat(account, phone);
  messageId = await acceptTestMessage(account, chatId);
  lineId = (await prisma().line.findFirstOrThrow({ where: { phoneNumber: account.line } })).id;
});

const find = async (q: string, by = admin): Promise<Finding[]> =>
  (await by.call(FIND.GET, { query: { q } })).body.findings;

async function insert(table: string, row: Record<string, unknown>): Promise<string> {
  const id = newId(Date.now());
  const all = { account_id: account.ref.id, id, ...row };
  const columns = Object.keys(all);
  await sql.runText({
    text: `insert into ${table} (${columns.join(", ")}) values (${columns.map((_, at) => `$${at + 1}`).join(", ")})`,
    values: Object.values(all),
  });
  return id;
}

async function subscribe(): Promise<string> {
  const { body } = await callApi("POST /v3/webhook-subscriptions", {
    token: account.token,
    body: { target_url: `https://example.com/${newTraceId()}`, subscribed_events: ["message.sent"] },
  });
  return body.id;
}

const at = new Date();

async function insertReplay(): Promise<[string, string]> {
  const subscription = await subscribe();
  const replay = {
    subscription_id: subscription,
    selection: "{}",
    is_bulk: false,
    total: 0,
    per_second: 1,
    trace_id: newTraceId(),
    created_at: at,
  };
  return [await insert("webhook_replays", replay), `/webhooks/${subscription}/replays`];
}

async function insertDelivery(): Promise<[string, string]> {
  const subscription = await subscribe();
  const [event] = await sql.runText<{ seq: string }>({
    text: "select seq from events where account_id = $1 limit 1",
    values: [account.ref.id],
  });
  const delivery = { subscription_id: subscription, event_seq: event?.seq, created_at: at };
  const id = await insert("webhook_deliveries", delivery);
  return [id, `/webhooks/${subscription}/deliveries/${id}`];
}

async function insertAgentPayment(): Promise<[string, string]> {
  const id = await insert("agent_payments", {
    handle: phone,
    amount_minor: 500,
    currency: "usd",
    metadata: "{}",
    provider: "sandbox",
    status: "needs_connection",
    moved_at: at,
    trace_id: newTraceId(),
    created_at: at,
  });
  return [id, `/agent-payments/${id}`];
}

const hint = () => ({ handle: phone, chat_id: chatId, message_id: messageId, word: "stop", created_at: at });

/** Creates one object of each type. Returns its id and the path of its page. */
const EXAMPLES: Record<string, () => Promise<[id: string, path: string]>> = {
  message: async () => [messageId, `/traces/${messageId}`],
  chat: async () => [chatId, `/chats/${chatId}`],
  line: async () => [lineId, `/lines/${lineId}`],
  event: async () => {
    const event = await prisma().event.findFirstOrThrow({
      where: { accountId: account.ref.id, internal: false },
    });
    return [event.id, `/events?q=${event.id}`];
  },
  request: async () => {
    const [id = ""] = await logTestRequests(account, 1);
    return [id, `/requests/${id}`];
  },
  payment_request: async () => {
    const { id } = await requestPayment(account, { amount: 1250, currency: "usd" });
    return [id, `/payments/${id}`];
  },
  agent_payment: insertAgentPayment,
  subscription: async () => {
    const id = await subscribe();
    return [id, `/webhooks/${id}`];
  },
  delivery: insertDelivery,
  replay: insertReplay,
  audit: async () => {
    const id = await insert("reputation_audits", { line_id: lineId, created_at: at });
    return [id, `/lines/${lineId}/audits?audit=${id}`];
  },
  attachment: async () => {
    const { body } = await callApi("POST /v3/attachments", {
      token: account.token,
      body: { filename: "menu.png", content_type: "image/png", size_bytes: 10 },
    });
    return [body.attachment_id, `/attachments/${body.attachment_id}`];
  },
  near_miss: async () => [await insert("opt_out_hints", hint()), "/opt-outs/near-misses"],
  opt_out: async () => {
    const handle = "+15550109321";
    const id = await insert("opt_outs", { handle, cause: "person", started_at: at });
    return [id, `/customers/${encodeURIComponent(handle)}`];
  },
  token: async () => {
    const token = await prisma().apiToken.findFirstOrThrow({ where: { accountId: account.ref.id } });
    return [token.id, "/tokens"];
  },
  member: async () => [viewer.id, "/settings/people"],
};

describe("an id", () => {
  test.each(Object.entries(EXAMPLES))(
    "of a %s leads to its page, and only in its own account",
    async (type, create) => {
      const [id, path] = await create();
      expect(await find(id)).toEqual([expect.objectContaining({ type, id, path })]);
      expect(await find(` ${id.toUpperCase()} `)).toHaveLength(1);
      expect(await find(id, stranger)).toEqual([]);
    },
  );

  test.each(["token", "member"])("of a %s is not found by a role that must not see it", async (type) => {
    const [id = ""] = (await EXAMPLES[type]?.()) ?? [];
    expect(await find(id)).toHaveLength(1);
    expect(await find(id, viewer)).toEqual([]);
  });

  test("of a decided near miss leads to the customer, because the list has only open ones", async () => {
    const id = await insert("opt_out_hints", { ...hint(), decision: "dismissed", decided_at: at });
    expect(await find(id)).toMatchObject([
      { type: "near_miss", path: `/customers/${encodeURIComponent(phone)}` },
    ]);
  });

  test("that no object has is not found", async () => {
    expect(await find(newId(Date.now()))).toEqual([]);
  });
});

test("a trace id and an event's number are found, in their own account only", async () => {
  const event = testEvent(account.ref.id, { type: "message.sent", lineId });
  await transaction((tx) => emitEvents(tx, [event]));
  const { traceId, seq, id } = await prisma().event.findFirstOrThrow({
    where: { accountId: account.ref.id, internal: false },
    orderBy: { seq: "desc" },
  });
  expect(await find(traceId)).toMatchObject([{ type: "trace", id: traceId, path: `/traces/${traceId}` }]);
  expect(await find(traceId, stranger)).toEqual([]);
  expect(await find(newTraceId())).toEqual([]);
  expect(await find(`#${seq}`)).toContainEqual(expect.objectContaining({ type: "event", id }));
  expect((await find(`#${seq}`, stranger)).filter(({ type }) => type === "event")).toEqual([]);
});

describe("a phone number or an email address", () => {
  test("is found whole, partly and with spaces, and leads to the customer and the chat", async () => {
    const digits = phone.slice(1);
    for (const q of [phone, digits, `+1 (666) ${digits.slice(4, 7)}-${digits.slice(7)}`, digits.slice(-6)]) {
      const found = await find(q);
      expect(found).toContainEqual(
        expect.objectContaining({
          type: "customer",
          id: phone,
          path: `/customers/${encodeURIComponent(phone)}`,
        }),
      );
      expect(found).toContainEqual(expect.objectContaining({ type: "chat", id: chatId, title: phone }));
    }
    expect(await find(phone, stranger)).toEqual([]);
  });

  test("without a chat is found when it is complete, with its name, in its own account only", async () => {
    const email = "ana.torres@example.com";
    await sql.runText({
      text: "insert into contacts (account_id, handle, name, name_source) values ($1, $2, 'Ana', 'person')",
      values: [account.ref.id, email],
    });
    expect(await find("Ana.Torres@Example.com")).toEqual([
      {
        type: "customer",
        id: email,
        title: email,
        detail: "Ana",
        path: `/customers/${encodeURIComponent(email)}`,
      },
    ]);
    expect(await find(email, stranger)).toEqual([]);
  });

  test("of a line's label leads to the line", async () => {
    await prisma().line.updateMany({ where: { id: lineId }, data: { label: "Harbor pickup" } });
    const found = { type: "line", id: lineId, title: `Harbor pickup ${account.line}` };
    expect(await find("harbor PICK")).toContainEqual(expect.objectContaining(found));
    expect(await find("harbor pick", stranger)).toEqual([]);
    await prisma().line.updateMany({ where: { id: lineId }, data: { label: null } });
  });

  test("of a line leads to the line", async () => {
    expect(await find(account.line)).toContainEqual(
      expect.objectContaining({ type: "line", id: lineId, path: `/lines/${lineId}` }),
    );
    expect(await find(account.line, stranger)).toEqual([]);
  });

  test("that many customers share returns at most five of a type", async () => {
    for (let more = 0; more < 6; more++) await createDirectChat(account, await createTestPhone(account));
    const found = await find("+1666");
    for (const type of ["customer", "chat"]) {
      expect(found.filter((finding) => finding.type === type)).toHaveLength(5);
    }
  });

  test("of a team member leads to the people only for those who manage them", async () => {
    const { email } = await prisma().user.findUniqueOrThrow({ where: { id: viewer.id } });
    expect(await find(email)).toMatchObject([{ type: "member", id: viewer.id, path: "/settings/people" }]);
    expect(await find(email, viewer)).toEqual([]);
    expect(await find(email, stranger)).toEqual([]);
  });
});

test("a group is found by its name", async () => {
  const { chatId: groupId } = await createTestGroup(account, 2);
  await prisma().chat.updateMany({ where: { id: groupId }, data: { displayName: "Harvest dinner" } });
  expect(await find("harvest")).toMatchObject([{ type: "chat", id: groupId, title: "Harvest dinner" }]);
});

test("one character or a text beyond the limit is rejected", async () => {
  for (const q of ["a", "a".repeat(321)]) {
    expect((await admin.call(FIND.GET, { query: { q } })).status).toBe(400);
  }
});
