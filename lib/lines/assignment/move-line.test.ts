import "@/lib/testing/use-test-database";

import { beforeEach, describe, expect, test } from "vitest";
import * as move from "@/app/api/lines/[lineId]/move/route";
import * as lineRoute from "@/app/api/lines/[lineId]/route";
import * as linesRoute from "@/app/api/lines/route";
import * as simulated from "@/app/api/lines/simulated/route";
import { archiveAccount } from "@/lib/identity/accounts/archive-account";
import { createAccount } from "@/lib/identity/accounts/create-account";
import { findConnection, setLineConnection } from "@/lib/lines/connections/line-connection";
import { createLine } from "@/lib/lines/lines/create-line";
import type { AccountRef } from "@/lib/platform/context";
import { prisma, transaction } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { untilLocked } from "@/lib/testing/database/until-locked";
import { createTestPhone, writeAs } from "@/lib/testing/factories";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";

let account: TestAccount;
let target: AccountRef;
let operator: DashboardUser;
let counter = 0;

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
  target = await createAccount(account.ref.partnerId, "second", "sandbox");
  operator = await signInAs(account, "viewer", { isOperator: true });
});

const lineOf = () => prisma().line.findFirstOrThrow({ where: { accountId: account.ref.id } });

function moveTo(lineId: string, account_id: string, by = operator) {
  return by.call(move.POST, { method: "POST", params: { lineId }, body: { account_id } });
}

describe("moving a line", () => {
  test("gives the number to the other account, closes the chats and tells both accounts", async () => {
    const phone = await createTestPhone(account);
    await writeAs(account, phone, { to: account.line, text: "hi" });
    const { chatId, messageId } = await account.sendFirst(phone);
    await prisma().message.updateMany({ where: { id: messageId }, data: { dispatchAt: null } });
    const line = await lineOf();

    const { status, body } = await moveTo(line.id, target.id);

    expect(status).toBe(200);
    expect(body).toMatchObject({ account_id: target.id, phone_number: account.line });
    const now = await prisma().line.findFirstOrThrow({
      where: { phoneNumber: account.line, releasedAt: null },
    });
    expect(now).toMatchObject({ id: body.id, accountId: target.id, transport: "simulator" });
    const message = { parts: [{ type: "text", value: "still there?" }] };
    const written = await callApi(`POST /v3/chats/${chatId}/messages`, {
      token: account.token,
      body: { message },
    });
    expect(written.body.error.code).toBe(2013);
    expect((await callApi(`GET /v3/chats/${chatId}`, { token: account.token })).status).toBe(200);

    const events = await prisma().event.findMany({ where: { type: "environment.line_moved" } });
    const own = events.filter(({ accountId }) => [account.ref.id, target.id].includes(accountId));
    expect(own).toHaveLength(2);
    expect(own[0]?.data).toMatchObject({
      phone_number: account.line,
      change: { from: { name: "main" }, to: { name: "second" } },
    });
    const entry = await prisma().auditEntry.findFirstOrThrow({
      where: { action: "line.moved", objectId: line.id },
    });
    expect(entry).toMatchObject({
      accountId: account.ref.id,
      actorId: operator.id,
      detail: { from: { account: "main" }, to: { account: "second" }, moved_to: body.id },
    });
  });

  test("keeps its settings and its connection, sealed for its new row", async () => {
    const production = await createTestAccount({ type: "production" });
    const live = await createAccount(production.ref.partnerId, "live", "production");
    const by = await signInAs(production, "viewer", { isOperator: true });
    const phoneNumber = `+1777${String(1_000_000 + ++counter)}`;
    const { id } = await createLine(production.ref, { phoneNumber, lineType: "RCS", transport: "twilio" });
    await setLineConnection({ accountId: production.ref.id, id }, { auth_token: "secret" });
    const where = { accountId_id: { accountId: production.ref.id, id } };
    await prisma().line.update({
      where,
      data: { label: "Front desk", rcs: false, forwardingNumber: "+15550005002", pollCursor: "7" },
    });

    const { body } = await moveTo(id, live.id, by);

    const moved = await prisma().line.findUniqueOrThrow({
      where: { accountId_id: { accountId: live.id, id: body.id } },
    });
    expect(moved).toMatchObject({
      lineType: "RCS",
      label: "Front desk",
      rcs: false,
      forwardingNumber: "+15550005002",
      pollCursor: "7",
    });
    const ref = { accountId: live.id, id: body.id, phoneNumber, lineType: "RCS" as const };
    expect(await findConnection(ref)).toEqual({ auth_token: "secret" });
    const sandbox = await createAccount(production.ref.partnerId, "tests", "sandbox");
    const simulatedLine = await prisma().line.findFirstOrThrow({ where: { phoneNumber: production.line } });
    expect((await moveTo(simulatedLine.id, live.id, by)).body.error.code).toBe(1005);
    expect((await moveTo(simulatedLine.id, sandbox.id, by)).status).toBe(200);
  });

  test("takes a connection that is stored meanwhile, with its cursor", async () => {
    const production = await createTestAccount({ type: "production" });
    const live = await createAccount(production.ref.partnerId, "live", "production");
    const by = await signInAs(production, "viewer", { isOperator: true });
    const phoneNumber = `+1777${String(1_000_000 + ++counter)}`;
    const { id } = await createLine(production.ref, { phoneNumber, lineType: "RCS", transport: "twilio" });
    const old = { accountId: production.ref.id, id };
    await setLineConnection(old, { auth_token: "first" });

    const { moving } = await transaction(async (tx) => {
      await setLineConnection(old, { auth_token: "second" }, tx);
      await tx.runText({
        text: "update lines set poll_cursor = 'second' where account_id = $1 and id = $2",
        values: [old.accountId, id],
      });
      const moving = moveTo(id, live.id, by);
      await untilLocked();
      return { moving };
    });

    const { body } = await moving;
    const where = { accountId_id: { accountId: live.id, id: body.id } };
    expect(await prisma().line.findUniqueOrThrow({ where })).toMatchObject({ pollCursor: "second" });
    const ref = { accountId: live.id, id: body.id, phoneNumber, lineType: "RCS" as const };
    expect(await findConnection(ref)).toEqual({ auth_token: "second" });
  });

  test("happens once when two operators move it at the same time to different accounts", async () => {
    const third = await createAccount(account.ref.partnerId, "third", "sandbox");
    const { id } = await lineOf();
    const answers = await Promise.all([moveTo(id, target.id), moveTo(id, third.id)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    const lines = await prisma().line.findMany({ where: { phoneNumber: account.line, releasedAt: null } });
    expect(lines).toHaveLength(1);
  });

  test("is refused while messages wait, and nothing of it remains", async () => {
    const phone = await createTestPhone(account);
    await writeAs(account, phone, { to: account.line, text: "hi" });
    await account.sendFirst(phone);
    const { id } = await lineOf();
    expect((await moveTo(id, target.id)).body.error.code).toBe(2015);
    expect(await prisma().line.count({ where: { accountId: target.id } })).toBe(0);
    expect((await lineOf()).releasedAt).toBeNull();
  });

  test("is of a line of the account: another account's is denied and an unknown ID is not found, whatever the target", async () => {
    const foreign = await createTestAccount({ type: "sandbox" });
    const { id } = await prisma().line.findFirstOrThrow({ where: { accountId: foreign.ref.id } });
    for (const to of [target.id, account.ref.id, newId(1)]) {
      expect((await moveTo(id, to)).body.error.code).toBe(2005);
      expect((await moveTo(newId(2), to)).body.error.code).toBe(2019);
    }
    const release = (lineId: string) =>
      operator.call(lineRoute.DELETE, { method: "DELETE", params: { lineId } });
    expect((await release(id)).body.error.code).toBe(2005);
    expect((await release(newId(2))).body.error.code).toBe(2019);
  });

  test("never leads to another partner, to an archived account, to itself or to nowhere", async () => {
    const { id } = await lineOf();
    const foreign = await createTestAccount({ type: "sandbox" });
    expect((await moveTo(id, foreign.ref.id)).body.error.code).toBe(2005);
    expect((await moveTo(id, newId(1))).body.error.code).toBe(1005);
    expect((await moveTo(id, account.ref.id)).body.error.code).toBe(2015);
    const ctx = { ...account.context(), account: target };
    await archiveAccount(ctx, { params: { accountId: target.id } });
    expect((await moveTo(id, target.id)).body.error.code).toBe(2015);
    expect((await moveTo(id, target.id, await signInAs(account, "admin"))).status).toBe(403);
  });
});

describe("adding a simulated line", () => {
  const add = (by: DashboardUser, body?: object) =>
    by.call(simulated.POST, { method: "POST", body: body ?? {} });

  test("is for admins and operators of a sandbox, and is audited", async () => {
    const admin = await signInAs(account, "admin");
    const { status, body } = await add(admin, { kind: "critical" });
    expect(status).toBe(201);
    const line = await prisma().line.findFirstOrThrow({ where: { phoneNumber: body.phone_number } });
    expect(line).toMatchObject({ accountId: account.ref.id, reputation: "CRITICAL" });
    const entry = await prisma().auditEntry.findFirstOrThrow({ where: { objectId: line.id } });
    expect(entry).toMatchObject({ action: "line.created", actorId: admin.id });
    expect((await add(operator)).status).toBe(201);
    expect((await add(await signInAs(account, "developer"))).status).toBe(403);
  });

  test("is not possible in a production account", async () => {
    const live = await createTestAccount({ type: "production" });
    expect((await add(await signInAs(live, "admin"))).body.error.code).toBe(2011);
  });
});

describe("a line's queue and capacity", () => {
  test("count the messages that wait, with the time of the oldest, and the rest of today's limits", async () => {
    const phone = await createTestPhone(account);
    await writeAs(account, phone, { to: account.line, text: "hi" });
    await prisma().account.update({ where: { id: account.ref.id }, data: { dailyMessages: 40 } });
    const first = await account.sendFirst(phone);
    await account.sendFirst(phone);
    const { id } = await lineOf();
    const viewer = await signInAs(account, "viewer");

    const { body } = await viewer.call(lineRoute.GET, { params: { lineId: id } });

    const oldest = await prisma().message.findFirstOrThrow({ where: { id: first.messageId } });
    expect(body.queue).toEqual({
      waiting: 2,
      oldest_at: oldest.createdAt.toISOString(),
      sends_per_second: null,
    });
    expect(body.capacity).toMatchObject({
      messages: { used: 3, limit: 7000 },
      new_chats: { used: 1, limit: 50 },
      account_messages: { used: 2, limit: 40 },
    });
    expect(new Date(body.capacity.resets_at).getTime() % 86_400_000).toBe(0);
    await prisma().message.updateMany({ where: { accountId: account.ref.id }, data: { dispatchAt: null } });
    const list = await viewer.call(linesRoute.GET);
    expect(list.body.lines[0].queue).toEqual({ waiting: 0, oldest_at: null, sends_per_second: null });
  });
});
