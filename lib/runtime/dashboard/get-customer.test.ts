import "@/lib/testing/use-test-database";
import { beforeEach, describe, expect, test } from "vitest";
import * as BLOCKS from "@/app/api/blocked-handles/route";
import * as NAME from "@/app/api/customers/[handle]/name/route";
import * as CUSTOMER from "@/app/api/customers/[handle]/route";
import * as NAMES from "@/app/api/customers/names/route";
import { updateAccountOptions } from "@/lib/identity/accounts/update-account-options";
import { handlesOnCard, nameOnCard } from "@/lib/messaging/content/read-contact-card";
import { prisma, sql, transaction } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import { nameFromCard } from "@/lib/recipients/handles/name-from-card";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { countStatements } from "@/lib/testing/database/count-statements";
import { createDirectChat, createTestPhone, writeAs } from "@/lib/testing/factories";
import { requestPayment } from "@/lib/testing/payments/payment-requests";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";
import { createTestGroup } from "@/lib/testing/test-chats";

let account: TestAccount;
let agent: DashboardUser;
let phone: string;
let chatId: string;

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
  agent = await signInAs(account, "support");
  phone = await createTestPhone(account);
  chatId = await createDirectChat(account, phone);
});

const read = async (handle = phone, by = agent) => (await by.call(CUSTOMER.GET, { params: { handle } })).body;
const name = (text: string | null, by = agent) =>
  by.call(NAME.PUT, { method: "PUT", params: { handle: phone }, body: { name: text } });
const namesOf = async (...handles: string[]) =>
  (await agent.call(NAMES.GET, { query: { handles: handles.join(",") } })).body.names;

describe("a customer's page", () => {
  test("has the chats, the consent with its words, the block, notes and what a send would answer", async () => {
    await writeAs(account, phone, { to: account.line, text: "STOP" });
    await agent.call(BLOCKS.POST, { method: "POST", body: { handle: phone, reason: "rude" } });
    await sql.runText({
      text: `insert into chat_team_entries (account_id, id, chat_id, kind, user_id, body, created_at)
             values ($1, $2, $3, 'note', $4, 'Call back on Monday', now())`,
      values: [account.ref.id, newId(Date.now()), chatId, agent.id],
    });
    const customer = await read();
    expect(customer).toMatchObject({
      handle: phone,
      name: null,
      block: { reason: "rude", by: { type: "user", name: "A support" } },
      places: [{ chat_id: chatId, line: account.line }],
      chats: [{ chat: { id: chatId }, line: account.line, last_message: { text: "STOP" }, unread: 2 }],
      has_more_chats: false,
      opt_outs: [{ cause: "keyword", keyword: "STOP", words: "STOP", ended_at: null }],
      payments: [],
      connections: [],
      files: [],
      notes: [{ chat_id: chatId, by: "A support", text: "Call back on Monday" }],
    });
    expect(customer.places[0].sendBlockers.map(({ reason }: { reason: string }) => reason)).toEqual([
      "blocked",
      "opted_out",
    ]);
  });

  test("has the files and payment requests of direct chats, not those of groups", async () => {
    const { chatId: groupId } = await createTestGroup(account, 2);
    const { id: requestId } = await requestPayment(account, {
      amount: 1250,
      currency: "usd",
      description: "Dinner",
    });
    const [message] = await sql.runText<{ id: string }>({
      text: "select id from messages where chat_id = $1",
      values: [chatId],
    });
    for (const of of [chatId, groupId]) {
      await sql.runText({
        text: `insert into payment_request_messages (account_id, payment_request_id, chat_id, message_id) values ($1, $2, $3, $4)`,
        values: [account.ref.id, requestId, of, message?.id],
      });
    }
    expect((await read()).payments).toMatchObject([
      { id: requestId, status: "requested", amount_text: "$12.50", currency: "usd", description: "Dinner" },
    ]);
    const member =
      (await prisma().participant.findFirst({ where: { chatId: groupId, isMe: false } }))?.handle ?? "";
    const ofMember = await read(member);
    expect(ofMember.chats).toMatchObject([{ chat: { id: groupId, is_group: true } }]);
    expect(ofMember.payments).toEqual([]);
  });

  test("of a handle that never appeared is empty, however the number is written; a bad handle is 1002", async () => {
    expect(await read("+1 (555) 010-9777")).toMatchObject({
      handle: "+15550109777",
      chats: [],
      places: [{ chat_id: null, sendBlockers: [{ reason: "never_wrote", code: 2008 }] }],
    });
    expect((await agent.call(CUSTOMER.GET, { params: { handle: "no@handle@x" } })).body.error.code).toBe(
      1002,
    );
  });

  test("has nothing of another account, and takes as many statements for ten chats as for one", async () => {
    const other = await createTestAccount({ type: "sandbox" });
    const stranger = await signInAs(other, "admin");
    expect(await read(phone, stranger)).toMatchObject({ chats: [], opt_outs: [], name: null });
    const before = await countStatements(() => read());
    for (let line = 0; line < 9; line++) {
      await sql.runText({
        text: `with chat as (
                 insert into chats (account_id, id, line_id, line_type, is_group, recipient_handle, service,
                   health_updated_at, last_activity_at, created_at, updated_at)
                 select account_id, gen_random_uuid(), line_id, line_type, false, recipient_handle, service,
                   now(), now(), now(), now() from chats where id = $1 returning *)
               insert into participants (account_id, id, chat_id, handle, is_me, service, joined_at)
               select p.account_id, gen_random_uuid(), chat.id, p.handle, p.is_me, p.service, p.joined_at
               from chat, participants p where p.chat_id = $1`,
        values: [chatId],
      });
    }
    expect((await read()).chats).toHaveLength(10);
    expect(await countStatements(() => read())).toBe(before);
  });
});

describe("the name of a handle", () => {
  test("is shown, audited with what it was, and removed again", async () => {
    expect((await name("Ana Torres")).status).toBe(204);
    expect(await read()).toMatchObject({ name: "Ana Torres", name_source: "person" });
    expect(await namesOf(phone, "+15550109001")).toEqual([{ handle: phone, name: "Ana Torres" }]);
    await name("Ana");
    await name("Ana");
    await name(null);
    expect(await namesOf(phone)).toEqual([]);
    const entries = await prisma().auditEntry.findMany({
      where: { accountId: account.ref.id, action: "handle.named" },
      orderBy: { id: "asc" },
    });
    expect(entries.map(({ detail, actorId }) => ({ detail, actorId }))).toEqual(
      [
        { from: null, to: "Ana Torres" },
        { from: "Ana Torres", to: "Ana" },
        { from: "Ana", to: null },
      ].map((detail) => ({ detail, actorId: agent.id })),
    );
  });

  test("never leaves by the partner API or by events", async () => {
    await name("Secret Name");
    const { messageId } = await writeAs(account, phone, { to: account.line, text: "hi" });
    for (const path of [
      `/v3/chats/${chatId}`,
      "/v3/chats",
      `/v3/messages/${messageId}`,
      "/v3/blocked_handles",
    ]) {
      const { body } = await callApi(`GET ${path}`, { token: account.token });
      expect(JSON.stringify(body)).not.toContain("Secret Name");
    }
    const events = await prisma().event.findMany({ where: { accountId: account.ref.id } });
    expect(JSON.stringify(events.map(({ data }) => data))).not.toContain("Secret Name");
  });

  test("needs the right to send, and at most 100 characters", async () => {
    expect((await name("Ana", await signInAs(account, "viewer"))).status).toBe(403);
    expect((await name("a".repeat(101))).status).toBe(400);
    expect(
      (await agent.call(NAMES.GET, { query: { handles: Array(101).fill("+1").join(",") } })).status,
    ).toBe(400);
  });

  test("comes from a received card of the handle, does not replace a typed one, and is not taken under retention", async () => {
    const about = { accountId: account.ref.id, handle: phone };
    const card = (first_name: string, handles: string[]) =>
      transaction((tx) => nameFromCard(tx, about, { first_name, last_name: "Diaz", handles }));
    await card("Stranger", ["+15550109999"]);
    expect(await namesOf(phone)).toEqual([]);
    await updateAccountOptions(account.context(), { body: { retention_minutes: 60 } });
    await card("Erased", [phone]);
    expect(await namesOf(phone)).toEqual([]);
    await updateAccountOptions(account.context(), { body: { retention_minutes: null } });
    await card("Ben", [phone]);
    expect(await read()).toMatchObject({ name: "Ben Diaz", name_source: "contact_card" });
    const [, area, exchange, rest] = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(phone) ?? [];
    await card("Benjamin", ["(555) 010-9999", `(${area}) ${exchange}-${rest}`]);
    expect(await namesOf(phone)).toEqual([{ handle: phone, name: "Benjamin Diaz" }]);
    await name("Benno");
    await card("Ben", []);
    expect(await namesOf(phone)).toEqual([{ handle: phone, name: "Benno" }]);
  });
});

test("the handles on a card are read as Trunkline writes them", () => {
  const card =
    "BEGIN:VCARD\r\nN:Diaz;Ben\r\nTEL;TYPE=cell:+1 (555)\r\n  010-0101\r\nitem1.TEL;VALUE=uri:tel:+15550100102\r\nEMAIL:Ben@Example.com\r\nEND:VCARD";
  expect(handlesOnCard(card)).toEqual(["+15550100101", "+15550100102", "ben@example.com"]);
  expect(handlesOnCard("BEGIN:VCARD\nFN:Ben\nEND:VCARD")).toEqual([]);
});

test.each([
  [
    "N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=44=C3=ADaz;=4A=6F=73=\r\n=C3=A9;;;\r\nTEL;CELL:+15550100101",
    { first_name: "José", last_name: "Díaz" },
  ],
  [
    "N;ENCODING=QUOTED-PRINTABLE;CHARSET=ISO-8859-1:M=FCller;J=F6rg",
    { first_name: "Jörg", last_name: "Müller" },
  ],
  ["N;QUOTED-PRINTABLE:Lee;A=3Dnn\nFN:Ann", { first_name: "A=nn", last_name: "Lee" }],
  ["FN:100=25 Lee", { first_name: "100=25 Lee", last_name: "" }],
])("the name on a card of a phone is read: %j", (lines, name) => {
  expect(nameOnCard(`BEGIN:VCARD\r\nVERSION:2.1\r\n${lines}\r\nEND:VCARD`)).toEqual(name);
  expect(handlesOnCard(lines)).toEqual(lines.includes("TEL") ? ["+15550100101"] : []);
});
