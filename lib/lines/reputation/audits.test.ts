import "@/lib/testing/use-test-database";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import * as auditRoute from "@/app/api/phone-numbers/[phoneNumber]/reputation-audits/[auditId]/route";
import { assessReputation } from "@/lib/lines/reputation/assess-reputation";
import type { LineAuditData } from "@/lib/lines/reputation/read-line-audit-data";
import { startAudits } from "@/lib/lines/reputation/work-audits";
import { sql } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import { setClock } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createDirectChat, createTestPhone, writeAs } from "@/lib/testing/factories";
import { signInAs } from "@/lib/testing/sign-in/sign-in-as";
import { until } from "@/lib/testing/until";

let account: TestAccount;
let queue: { stop(): Promise<void> } | null = null;

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
});

afterEach(async () => {
  await queue?.stop();
  queue = null;
  setClock(null);
});

const sendRequest = (line = account.line) =>
  callApi(`POST /v3/phone_numbers/${line}/reputation_audit`, { token: account.token });
const read = (id: string, line = account.line) =>
  callApi(`GET /v3/phone_numbers/${line}/reputation_audit/${id}`, { token: account.token });

async function complete(id: string) {
  queue ??= startAudits();
  return until(async () => {
    const { body } = await read(id);
    return body.status !== "pending" && body;
  });
}

describe("a reputation audit", () => {
  test("is asked for, made by a worker and read, with what was found", async () => {
    const phone = await createTestPhone(account);
    const chatId = await createDirectChat(account, phone);
    await writeAs(account, phone, { to: account.line, text: "STOP" });
    await callApi(`POST /v3/chats/${chatId}/messages`, {
      token: account.token,
      body: { message: { parts: [{ type: "text", value: "still" }] }, override_optout: true },
    });

    const { status, body } = await sendRequest(account.line.replace("+", "%2B"));
    expect([status, body.status]).toEqual([202, "pending"]);
    expect((await read(body.audit_id)).body).toMatchObject({
      status: "pending",
      report: null,
      phone: account.line,
    });

    const audit = await complete(body.audit_id);
    expect(audit).toMatchObject({ status: "complete", error: null });
    expect(audit.report).toMatchObject({
      severity: "AT_RISK",
      primary_driver: "opt_out_handling",
      evidence: {
        opt_out_chats: [{ chat_id: chatId, messages_after_stop: 1 }],
        unhealthy_chats: [{ chat_id: chatId, status: "OPTED_OUT", driver_keys: ["opt_out_handling"] }],
      },
      metrics: { chats: 1, opted_out_chats: 1, sent_24h: 1, received_24h: 2 },
    });
    expect(audit.report.summary_markdown).toContain(account.line);
  });

  test("shows people the recipients of its chats, except of a chat that is gone", async () => {
    const phone = await createTestPhone(account);
    const chatId = await createDirectChat(account, phone);
    await writeAs(account, phone, { to: account.line, text: "STOP" });
    const { body } = await sendRequest();
    await complete(body.audit_id);
    const viewer = await signInAs(account, "viewer");
    const params = { phoneNumber: account.line, auditId: body.audit_id };

    const shown = await viewer.call(auditRoute.GET, { params });

    expect(shown.body.chats).toEqual([{ chat_id: chatId, handle: phone, group_name: null }]);
    const evidence = { opt_out_chats: [{ chat_id: newId(1), messages_after_stop: 1 }], unhealthy_chats: [] };
    await sql.runText({
      text: "update reputation_audits set report = report || $2::jsonb where id = $1",
      values: [body.audit_id, JSON.stringify({ evidence })],
    });
    expect((await viewer.call(auditRoute.GET, { params })).body.chats).toEqual([]);
  });

  test("is 409/2015 while one runs, 429 within the hour with the time left, and free after it", async () => {
    const first = await sendRequest();
    const second = await sendRequest();
    expect([second.status, second.body.error.code]).toEqual([409, 2015]);

    await complete(first.body.audit_id);
    const third = await sendRequest();
    expect([third.status, third.body.error.code]).toEqual([429, 1007]);
    expect(third.body.error.retry_after).toBeGreaterThan(3500);
    expect(third.headers.get("retry-after")).toBe(String(third.body.error.retry_after));
    expect(third.headers.get("x-should-retry")).toBe("false");

    setClock({ offsetMs: 3_601_000, frozenAt: null });
    expect((await sendRequest()).status).toBe(202);
  });

  test("of two at once one is made", async () => {
    const answers = await Promise.all([sendRequest(), sendRequest(), sendRequest()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409, 409]);
  });

  test("whose process ended is made by another once its lease is over", async () => {
    const { body } = await sendRequest();
    await sql.runText({
      text: "update reputation_audits set attempts = 1, lease_until = now() - interval '1 second' where id = $1",
      values: [body.audit_id],
    });
    expect((await complete(body.audit_id)).status).toBe("complete");
  });

  test("of another line is 2020, an unknown line 2019, another account's 2005", async () => {
    const { body } = await sendRequest();
    expect((await read(newId(Date.now()))).body.error.code).toBe(2020);
    expect((await sendRequest("+19995550000")).body.error.code).toBe(2019);
    const other = await createTestAccount({ type: "sandbox" });
    expect((await read(body.audit_id, other.line)).body.error.code).toBe(2005);
  });
});

describe("the assessment", () => {
  const quiet: LineAuditData = {
    status: "ACTIVE",
    ...{ chats: 40, atRisk: 0, critical: 0, optedOut: 0 },
    ...{ sentToday: 10, receivedToday: 10, sentBefore: 70, newChats: 1 },
    optOutChats: [],
    unhealthyChats: [],
  };

  test("of a line nothing weighs on", () => {
    const report = assessReputation("+15550100", quiet);
    expect(report).toMatchObject({ severity: "HEALTHY", primary_driver: "", drivers: [], action_items: [] });
  });

  test.each([
    [{ status: "FLAGGED" }, "flagged", "CRITICAL"],
    [{ critical: 12 }, "overall_conversation_health", "CRITICAL"],
    [{ optedOut: 6 }, "overall_conversation_health", "AT_RISK"],
    [{ sentToday: 400, sentBefore: 700 }, "volume_spike", "AT_RISK"],
    [{ newChats: 50 }, "new_conversation_rate", "AT_RISK"],
    [{ critical: 1 }, "other", "HEALTHY"],
  ] as const)("of %j is led by %s: %s", (more, driver, severity) => {
    const report = assessReputation("+15550100", { ...quiet, ...more });
    expect(report).toMatchObject({ severity, primary_driver: driver });
    expect(report.action_items.map(({ priority }) => priority)).toEqual(report.drivers.map((_, n) => n + 1));
  });
});
