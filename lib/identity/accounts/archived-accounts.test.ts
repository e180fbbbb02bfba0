import "@/lib/testing/use-test-database";

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import * as optionsRoute from "@/app/api/account/options/route";
import * as archive from "@/app/api/accounts/[accountId]/archive/route";
import * as restore from "@/app/api/accounts/[accountId]/restore/route";
import * as accountRoute from "@/app/api/accounts/[accountId]/route";
import * as accountsRoute from "@/app/api/accounts/route";
import type { Running } from "@/lib/adapters/transports/transport";
import { emitEvents } from "@/lib/events/store/emit-event";
import { createAccount } from "@/lib/identity/accounts/create-account";
import { createLine } from "@/lib/lines/lines/create-line";
import { queueAction } from "@/lib/messaging/actions/queue-action";
import { startDispatch } from "@/lib/messaging/dispatch/dispatch-messages";
import { SendMessage, sendMessage } from "@/lib/messaging/sending/send-message";
import { prisma, sql, transaction } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import { settleArchivedAccounts } from "@/lib/runtime/jobs/settle-archived-accounts";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { untilLocked } from "@/lib/testing/database/until-locked";
import { testEvent } from "@/lib/testing/events/test-event";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";

const PATH = "/api/accounts/id";
const never = new AbortController().signal;
const running: Running[] = [];
let account: TestAccount;
let admin: DashboardUser;

beforeEach(async () => {
  account = await createTestAccount({ type: "production" });
  admin = await signInAs(account, "admin");
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.stop()));
});

const params = () => ({ accountId: account.ref.id });
const archiveIt = (by = admin) => by.call(archive.POST, { path: PATH, method: "POST", params: params() });
const restoreIt = (by = admin) => by.call(restore.POST, { path: PATH, method: "POST", params: params() });

function send(chatId: string, text: string) {
  return callApi(`POST /v3/chats/${chatId}/messages`, {
    token: account.token,
    body: { message: { parts: [{ type: "text", value: text }] } },
  });
}

async function statusesOf(chatId: string): Promise<string[]> {
  const messages = await prisma().message.findMany({ where: { chatId }, orderBy: { position: "asc" } });
  return messages.map(({ deliveryStatus }) => deliveryStatus);
}

async function auditsOf(accountId: string) {
  const entries = await prisma().auditEntry.findMany({
    where: { accountId, objectType: "account" },
    orderBy: { id: "asc" },
  });
  return entries.map(({ action, actorId, detail }) => ({ action, actorId, detail }));
}

describe("an archived account", () => {
  test("refuses its tokens with 2005 and the reason, and takes them again when it is restored", async () => {
    expect((await archiveIt()).body).toMatchObject({ archived_at: expect.any(String) });
    const { status, body } = await callApi("GET /v3/chats", { token: account.token });
    expect(status).toBe(403);
    expect(body.error).toMatchObject({ code: 2005, message: expect.stringContaining("was archived at") });

    expect((await restoreIt()).body).toMatchObject({ archived_at: null });
    expect((await callApi("GET /v3/chats", { token: account.token })).status).toBe(200);
    expect((await auditsOf(account.ref.id)).slice(-2)).toEqual([
      { action: "account.archived", actorId: admin.id, detail: { name: "main" } },
      { action: "account.restored", actorId: admin.id, detail: { name: "main" } },
    ]);
  });

  test("is archived once by two admins at the same time", async () => {
    const other = await signInAs(account, "admin");
    const answers = await Promise.all([archiveIt(), archiveIt(other)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const archivings = (await auditsOf(account.ref.id)).filter(({ action }) => action === "account.archived");
    expect(archivings).toHaveLength(1);
  });

  test("can be read in the dashboard but not changed, except to restore it or to manage accounts", async () => {
    await archiveIt();
    expect((await admin.call(optionsRoute.GET)).status).toBe(200);
    const changed = await admin.call(optionsRoute.PATCH, { method: "PATCH", body: { rcs: false } });
    expect(changed).toMatchObject({ status: 403, body: { error: { code: 2005 } } });
    expect((await prisma().account.findUniqueOrThrow({ where: { id: account.ref.id } })).rcs).toBe(true);
  });

  test("accepts no send that was authenticated before and arrives after", async () => {
    const { chatId } = await account.sendFirst("+15550140001");
    await archiveIt();
    const body = SendMessage.body.parse({ message: { parts: [{ type: "text", value: "late" }] } });
    const late = sendMessage(account.context(), { params: { chatId }, query: undefined, body });
    await expect(late).rejects.toMatchObject({ errorName: "access_denied" });
    expect(await statusesOf(chatId)).toEqual(["pending"]);
  });

  test("loses none of the sends that race with it: each accepted one ends, and none is accepted afterwards", async () => {
    const { chatId } = await account.sendFirst("+15550140002");
    const racing = Array.from({ length: 20 }, (_, n) => send(chatId, `racing ${n}`));
    const archived = archiveIt();
    const answers = await Promise.all(racing);
    expect((await archived).status).toBe(200);
    const accepted = answers.filter(({ status }) => status === 202).length;
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(20 - accepted);
    expect((await send(chatId, "after")).status).toBe(403);

    running.push(startDispatch());
    await settleArchivedAccounts(never);
    const statuses = await statusesOf(chatId);
    expect(statuses).toHaveLength(accepted + 1);
    expect(new Set(statuses)).toEqual(new Set(["failed"]));
  });

  test("fails what waits with 4002, reports it to the endpoints, and only then suspends them", async () => {
    const { chatId } = await account.sendFirst("+15550140003");
    const { body: subscription } = await callApi("POST /v3/webhook-subscriptions", {
      token: account.token,
      body: {
        target_url: "https://example.com/archived",
        subscribed_events: ["message.failed", "message.read"],
      },
    });
    await archiveIt();
    expect(await settleArchivedAccounts(never)).toBe(1);
    await transaction((tx) => emitEvents(tx, [testEvent(account.ref.id, { type: "message.read" })]));

    const [message] = await prisma().message.findMany({ where: { chatId } });
    expect(message).toMatchObject({
      deliveryStatus: "failed",
      failureCode: 4002,
      failureReason: expect.stringContaining("archived"),
    });
    const deliveries = await prisma().webhookDelivery.findMany({
      where: { subscriptionId: subscription.id },
      orderBy: { eventSeq: "asc" },
    });
    expect(deliveries.map(({ status }) => status)).toEqual(["waiting", "skipped"]);
    await restoreIt();
    await transaction((tx) => emitEvents(tx, [testEvent(account.ref.id, { type: "message.read" })]));
    const last = await prisma().webhookDelivery.findFirst({
      where: { subscriptionId: subscription.id },
      orderBy: { eventSeq: "desc" },
    });
    expect(last?.status).toBe("waiting");
  });

  test("performs no action that waited, even after it is restored", async () => {
    const { chatId } = await account.sendFirst("+15550140004");
    const { lineId } = await prisma().chat.findFirstOrThrow({ where: { id: chatId } });
    const { ref, context } = account;
    await queueAction(sql, {
      accountId: ref.id,
      lineId,
      chatId,
      messageId: null,
      kind: "typing",
      payload: { is_on: true },
      traceId: context().traceId,
      at: context().now,
    });
    await archiveIt();
    expect(await settleArchivedAccounts(never)).toBe(2);
    expect(await prisma().chatAction.count({ where: { accountId: ref.id } })).toBe(0);
  });

  test("stops its lines, also one that the operator adds meanwhile, until it is restored", async () => {
    await archiveIt();
    const phoneNumber = `+1${account.line.slice(2).replace(/^555/, "556")}`;
    await createLine(account.ref, { phoneNumber, lineType: "iMessage", transport: "simulator" });
    const stopped = () =>
      prisma().line.findMany({ where: { accountId: account.ref.id }, select: { isStopped: true } });
    expect(await stopped()).toEqual([{ isStopped: true }, { isStopped: true }]);
    await restoreIt();
    expect(await stopped()).toEqual([{ isStopped: false }, { isStopped: false }]);
  });
});

describe("a restored account", () => {
  test("is not suspended by a worker that read it as archived and was late", async () => {
    await callApi("POST /v3/webhook-subscriptions", {
      token: account.token,
      body: { target_url: "https://example.com/late", subscribed_events: ["message.read"] },
    });
    await archiveIt();
    let settling: Promise<number> | undefined;
    await transaction(async (tx) => {
      await tx.runText({
        text: "update accounts set archived_at = null where id = $1",
        values: [account.ref.id],
      });
      settling = settleArchivedAccounts(never);
      await untilLocked();
    });
    await settling;
    const where = { accountId: account.ref.id };
    expect((await prisma().webhookSubscription.findFirstOrThrow({ where })).isSuspended).toBe(false);
  });
});

describe("the accounts of a partner", () => {
  const create = (body: object, by = admin) => by.call(accountsRoute.POST, { method: "POST", body });

  test("are created by an admin, with an audit entry and an event to the partner's other accounts", async () => {
    const { status, body } = await create({ name: "Live", type: "production" });
    expect(status).toBe(201);
    expect(body).toMatchObject({ name: "Live", type: "production", archived_at: null });
    expect(await auditsOf(body.id)).toEqual([
      { action: "account.created", actorId: admin.id, detail: { name: "Live", type: "production" } },
    ]);
    const events = await prisma().event.findMany({
      where: { type: "environment.created", accountId: account.ref.id },
    });
    expect(events.at(-1)?.data).toMatchObject({ actor: { type: "team_member", id: admin.id } });
  });

  test("have names that differ by more than their case, also when two are created at once", async () => {
    const answers = await Promise.all([
      create({ name: "Shop", type: "production" }),
      create({ name: "shop", type: "sandbox" }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect((await create({ name: "MAIN", type: "sandbox" })).status).toBe(409);
  });

  test("get different colors until all are used", async () => {
    const bodies = [];
    for (let n = 0; n < 6; n++) bodies.push((await create({ name: `Color ${n}`, type: "sandbox" })).body);
    const listed = await admin.call(accountsRoute.GET);
    const colors = listed.body.accounts.map(({ color }: { color: string }) => color);
    expect(bodies).toHaveLength(6);
    expect(new Set(colors).size).toBe(colors.length);
  });

  test("are renamed with the names before and after in the audit log and in environment.renamed", async () => {
    const renamed = await admin.call(accountRoute.PATCH, {
      method: "PATCH",
      params: params(),
      body: { name: "Primary" },
    });
    expect(renamed.body).toMatchObject({ name: "Primary" });
    expect((await auditsOf(account.ref.id)).at(-1)).toMatchObject({
      action: "account.updated",
      detail: { from: { name: "main" }, to: { name: "Primary" } },
    });
    const event = await prisma().event.findFirst({
      where: { accountId: account.ref.id, type: "environment.renamed" },
    });
    expect(event?.data).toMatchObject({ change: { from: "main", to: "Primary" } });
  });

  test("of another partner can't be renamed or archived: 2005; an unknown one: 1005", async () => {
    const other = await createTestAccount({ type: "sandbox" });
    const foreign = { method: "POST" as const, params: { accountId: other.ref.id } };
    expect((await admin.call(archive.POST, foreign)).body.error.code).toBe(2005);
    const unknown = { method: "POST" as const, params: { accountId: newId(1) } };
    expect((await admin.call(archive.POST, unknown)).body.error.code).toBe(1005);
  });

  test("are listed page by page by name, and by status", async () => {
    await createAccount(account.ref.partnerId, "a", "sandbox");
    await createAccount(account.ref.partnerId, "z", "sandbox");
    const names = async (query: Record<string, string>) => {
      const { body } = await admin.call(accountsRoute.GET, { query });
      return { names: body.accounts.map(({ name }: { name: string }) => name), next: body.next_cursor };
    };
    const first = await names({ limit: "2" });
    expect(first.names).toEqual(["a", "main"]);
    expect(await names({ limit: "2", cursor: first.next })).toEqual({ names: ["z"], next: null });
    await archiveIt();
    expect((await names({ status: "archived" })).names).toEqual(["main"]);
    expect((await names({ status: "active" })).names).toEqual(["a", "z"]);
  });
});
