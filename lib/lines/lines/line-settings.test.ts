import "@/lib/testing/use-test-database";

import { beforeEach, describe, expect, test } from "vitest";
import * as line from "@/app/api/lines/[lineId]/route";
import * as lines from "@/app/api/lines/route";
import { listLineFormats } from "@/lib/lines/lines/list-line-formats";
import { listLineLabels } from "@/lib/lines/lines/list-line-labels";
import type { Context } from "@/lib/platform/context";
import { prisma } from "@/lib/platform/database/db";
import { digitGroups } from "@/lib/platform/text/digit-groups";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { countStatements } from "@/lib/testing/database/count-statements";
import { createTestPhone, writeAs } from "@/lib/testing/factories";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";
import { until } from "@/lib/testing/until";

let account: TestAccount;
let admin: DashboardUser;
let operator: DashboardUser;
let lineId: string;
let counter = 0;

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
  admin = await signInAs(account, "admin");
  operator = await signInAs(account, "viewer", { isOperator: true });
  lineId = (await prisma().line.findFirstOrThrow({ where: { accountId: account.ref.id } })).id;
});

function newNumber(): string {
  return `+1999${String(1_000_000 + ++counter)}`;
}

function assign(phone_number: string, more: object = {}, user = operator) {
  const body = { phone_number, line_type: "iMessage", transport: "simulator", ...more };
  return user.call(lines.POST, { method: "POST", body });
}

function change(body: object, user = admin, id = lineId) {
  return user.call(line.PATCH, { method: "PATCH", params: { lineId: id }, body });
}

function release(user = admin, id = lineId) {
  return user.call(line.DELETE, { method: "DELETE", params: { lineId: id } });
}

function codeOf({ status, body }: { status: number; body: { error: { code: number } } }): [number, number] {
  return [status, body.error.code];
}

function eventsOf(type: string) {
  return prisma().event.findMany({ where: { accountId: account.ref.id, type }, orderBy: { seq: "asc" } });
}

function labelsOf({ ref }: TestAccount) {
  return listLineLabels({ account: ref } as Context);
}

/** Waits until a message has left the queue, so that nothing is pending on its line. */
function untilSettled(messageId: string) {
  return prisma().message.updateMany({ where: { id: messageId }, data: { dispatchAt: null } });
}

test("pages get the number formats of the countries of the account's lines", async () => {
  const formats = () => listLineFormats({ account: account.ref } as Context);
  expect(Object.keys(await formats())).toEqual(["1"]);
  expect((await assign("+447400123456")).status).toBe(201);
  expect(digitGroups("+447400654321", await formats())).toEqual(["+44", "7400", "654321"]);
});

describe("the label", () => {
  test("is set, shown by the API and the dashboard, recorded, and removed", async () => {
    expect((await change({ label: "  Front desk  " })).body).toMatchObject({ label: "Front desk" });
    const read = () => callApi("GET /v3/phone_numbers", { token: account.token });
    expect((await read()).body.phone_numbers[0]).toMatchObject({ label: "Front desk" });
    expect(await labelsOf(account)).toEqual({ [account.line]: "Front desk" });
    expect((await admin.call(lines.GET, { query: { q: "DESK" } })).body.lines).toHaveLength(1);

    await change({ rcs: false });
    expect(await labelsOf(account)).toEqual({ [account.line]: "Front desk" });

    expect((await change({ label: null })).body).not.toHaveProperty("label");
    expect((await read()).body.phone_numbers[0]).not.toHaveProperty("label");
    expect(await labelsOf(account)).toEqual({});
    const where = { accountId: account.ref.id, action: "line.settings_changed" };
    const entries = await prisma().auditEntry.findMany({ where });
    expect(entries.map(({ detail }) => detail)).toContainEqual({
      from: { label: null },
      to: { label: "Front desk" },
    });
  });

  test.each(["", "   ", "a\nb", "a\u0000b", "x".repeat(61), 7])("%j is refused", async (label) => {
    expect(codeOf(await change({ label }))[0]).toBe(400);
    expect(await labelsOf(account)).toEqual({});
  });

  test("of another account's line is not listed", async () => {
    const other = await createTestAccount({ type: "sandbox" });
    await change({ label: "Front desk" });
    expect(await labelsOf(other)).toEqual({});
  });
});

describe("the list", () => {
  test("has every line with its settings, card and volume, in as many statements as for one", async () => {
    const phone = await createTestPhone(account);
    await writeAs(account, phone, { to: account.line, text: "hi" });
    await account.sendFirst(phone);
    await callApi("POST /v3/contact_card", {
      token: account.token,
      body: { phone_number: account.line, first_name: "Harbor" },
    });
    const get = () => admin.call(lines.GET);
    const one = await countStatements(get);
    for (let count = 0; count < 5; count++) await assign(newNumber());

    const { status, body } = await get();
    expect(status).toBe(200);
    expect(body.lines).toHaveLength(6);
    expect(body.lines[0]).toMatchObject({
      phone_number: account.line,
      transport: "simulator",
      is_up: true,
      rcs: true,
      attachment_tier: null,
      contact_card: { first_name: "Harbor", is_active: true },
      chats: { healthy: 1, at_risk: 0, critical: 0, opted_out: 0 },
      today: { sent: 1, received: 1, failed: 0 },
    });
    expect(body.lines[0].week).toHaveLength(7);
    expect(body.lines[0].week.at(-1)).toMatchObject({ sent: 1, received: 1 });
    expect(body.lines[1].today).toEqual({ sent: 0, received: 0, failed: 0 });
    expect(await countStatements(get)).toBe(one);
  });
});

describe("settings", () => {
  test("change one at a time, on record, and are read back", async () => {
    expect((await change({ rcs: false })).body.phone_number).toBe(account.line);
    await change({ attachment_tier: "ephemeral" });
    const forwarded = await change({ forwarding_number: "+15550005001" });
    expect(forwarded.body.forwarding_number).toBe("+15550005001");

    const { body } = await admin.call(lines.GET);
    expect(body.lines[0]).toMatchObject({
      rcs: false,
      attachment_tier: "ephemeral",
      forwarding_number: "+15550005001",
    });
    await change({ attachment_tier: null });
    expect((await admin.call(lines.GET)).body.lines[0].attachment_tier).toBeNull();
    expect(await eventsOf("phone_number.forwarding_updated")).toHaveLength(1);
    const where = { accountId: account.ref.id, action: "line.settings_changed", actorId: admin.id };
    const entries = await prisma().auditEntry.findMany({ where, orderBy: { id: "asc" } });
    expect(entries.map(({ detail }) => detail)).toEqual([
      { from: { rcs: true }, to: { rcs: false } },
      { from: { attachment_tier: null }, to: { attachment_tier: "ephemeral" } },
      { from: { attachment_tier: "ephemeral" }, to: { attachment_tier: null } },
    ]);
  });

  test("are for who may manage lines, and of own lines only", async () => {
    for (const role of ["support", "viewer"] as const) {
      expect(codeOf(await change({ rcs: false }, await signInAs(account, role)))).toEqual([403, 2005]);
    }
    const theirs = await createTestAccount({ type: "sandbox" });
    const foreign = await prisma().line.findFirstOrThrow({ where: { accountId: theirs.ref.id } });
    expect(codeOf(await change({ rcs: false }, admin, foreign.id))).toEqual([403, 2005]);
    expect(codeOf(await change({}, admin, account.ref.id))).toEqual([404, 2019]);
  });
});

describe("assigning", () => {
  test("an operator makes a number a line, with an event, and the number is taken for every account", async () => {
    const number = newNumber();
    const { status, body } = await assign(number, { line_type: "RCS" });
    expect(status).toBe(201);
    expect(body).toMatchObject({ phone_number: number, line_type: "RCS", status: "ACTIVE" });
    expect((await eventsOf("phone_number.assigned")).at(-1)?.data).toMatchObject({ phone_number: number });

    const elsewhere = await createTestAccount({ type: "sandbox" });
    const other = await signInAs(elsewhere, "admin", { isOperator: true });
    const taken = await assign(number, {}, other);
    expect(codeOf(taken)).toEqual([409, 2015]);
    expect(taken.body.error.message).toBe((await assign(elsewhere.line, {}, other)).body.error.message);
    expect(codeOf(await assign(newNumber(), { transport: "pigeon" }))).toEqual([400, 1005]);
  });

  test("is not for an admin of the account, whether the number is taken or not", async () => {
    const theirs = await createTestAccount({ type: "sandbox" });
    const free = await assign(newNumber(), {}, admin);
    const taken = await assign(theirs.line, {}, admin);

    expect(codeOf(free)).toEqual([403, 2005]);
    expect(taken.body.error).toEqual(free.body.error);
  });

  test("never gives a production account the simulator's transport", async () => {
    const live = await signInAs(await createTestAccount({ type: "production" }), "admin", {
      isOperator: true,
    });

    expect(codeOf(await assign(newNumber(), {}, live))).toEqual([400, 1005]);
  });
});

describe("releasing", () => {
  test("leaves the chats, takes the card, tells so, and the number may become another line", async () => {
    const phone = await createTestPhone(account);
    await writeAs(account, phone, { to: account.line, text: "hi" });
    const { chatId, messageId } = await account.sendFirst(phone);
    await untilSettled(messageId);
    await callApi("POST /v3/contact_card", {
      token: account.token,
      body: { phone_number: account.line, first_name: "Harbor" },
    });

    expect((await release()).status).toBe(204);

    const token = account.token;
    expect((await callApi("GET /v3/phone_numbers", { token })).body.phone_numbers).toEqual([]);
    const read = await callApi(`GET /v3/chats/${chatId}`, { token });
    expect(read.body.handles[0]).toMatchObject({ is_me: true, status: "left" });
    const message = { parts: [{ type: "text", value: "still there?" }] };
    const written = await callApi(`POST /v3/chats/${chatId}/messages`, { token, body: { message } });
    expect(codeOf(written)).toEqual([409, 2013]);
    const anew = await callApi("POST /v3/chats", {
      token,
      body: { from: account.line, to: [phone], message },
    });
    expect(codeOf(anew)).toEqual([403, 2006]);
    const auto = await callApi("POST /v3/messages", { token, body: { to: [phone], message } });
    expect(codeOf(auto)).toEqual([409, 2015]);
    expect(await eventsOf("contact_card.deleted")).toHaveLength(1);
    expect((await eventsOf("phone_number.released"))[0]?.data).toMatchObject({ phone_number: account.line });

    expect(codeOf(await release())).toEqual([404, 2019]);
    const next = await createTestAccount({ type: "sandbox" });
    expect((await assign(account.line, {}, await signInAs(next, "admin", { isOperator: true }))).status).toBe(
      201,
    );
    const list = await callApi("GET /v3/phone_numbers", { token: next.token });
    expect(list.body.phone_numbers).toHaveLength(2);
  });

  test("waits for messages that wait", async () => {
    const phone = await createTestPhone(account);
    await writeAs(account, phone, { to: account.line, text: "hi" });
    const { messageId } = await account.sendFirst(phone);
    expect(codeOf(await release())).toEqual([409, 2015]);
    await untilSettled(messageId);
    expect(await until(async () => (await release()).status === 204)).toBe(true);
  });

  test("is for admins", async () => {
    expect(codeOf(await release(await signInAs(account, "developer")))).toEqual([403, 2005]);
  });
});
