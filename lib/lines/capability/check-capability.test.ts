import "@/lib/testing/use-test-database";

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { registerTransport } from "@/lib/adapters/transports/registry";
import { createLine } from "@/lib/lines/lines/create-line";
import { prisma, sql } from "@/lib/platform/database/db";
import { setClock } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { changeTestPhone, createTestPhone } from "@/lib/testing/factories";
import { numericTransport } from "@/lib/testing/vendors/numeric-transport";

let account: TestAccount;
let seconds = 0;

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
});

afterEach(() => setClock(null));

/** Checks once the account's rate limit allows it. */
function check(service: "imessage" | "rcs", body: object) {
  seconds += 10;
  setClock({ offsetMs: seconds * 1000, frozenAt: null });
  return callApi(`POST /v3/capability/check_${service}`, { token: account.token, body });
}

function knobs(body: object) {
  return callApi(`PUT /simulator/lines/${account.line}`, { token: account.token, body });
}

function codeOf({ status, body }: { status: number; body: { error: { code: number } } }): [number, number] {
  return [status, body.error.code];
}

describe("a check", () => {
  test.each([
    ["iphone", true, "iMessage", false, "SMS"],
    ["android_rcs", false, "RCS", true, "RCS"],
    ["sms_only", false, "SMS", false, "SMS"],
  ] as const)(
    "of an %s says what it has, and what a message goes over",
    async (platform, iMessage, first, rcs, second) => {
      const address = await createTestPhone(account, { platform });
      const reason = { reason: "not_supported" };

      const one = await check("imessage", { address });
      expect(one.status).toBe(200);
      expect(one.body).toEqual({
        address,
        available: iMessage,
        ...(iMessage ? {} : reason),
        selected_service: first,
      });
      expect((await check("rcs", { address })).body).toEqual({
        address,
        available: rcs,
        ...(rcs ? {} : reason),
        selected_service: second,
      });
    },
  );

  test("is kept with its time, and the next one replaces it", async () => {
    const address = await createTestPhone(account, { platform: "iphone" });
    await check("imessage", { address });
    const where = { accountId: account.ref.id, handle: address, service: "iMessage" } as const;
    const first = await prisma().handleCapability.findFirstOrThrow({ where });
    expect(first.capability).toBe("yes");

    await changeTestPhone(account, address, { platform: "sms_only" });
    await check("imessage", { address });
    const second = await prisma().handleCapability.findFirstOrThrow({ where });
    expect(second.capability).toBe("no");
    expect(second.checkedAt.getTime()).toBeGreaterThan(first.checkedAt.getTime());
  });

  test("of an email address is of iMessage only", async () => {
    expect((await check("imessage", { address: "Ada@example.com" })).body).toEqual({
      address: "ada@example.com",
      available: false,
      reason: "not_supported",
    });
    expect(codeOf(await check("rcs", { address: "ada@example.com" }))).toEqual([400, 1002]);
  });
});

describe("the limit", () => {
  const now = (address: string, token = account.token) =>
    callApi("POST /v3/capability/check_imessage", { token, body: { address } });

  test("lets one of twenty at once through, and says when the next may come; other accounts have their own", async () => {
    const other = await createTestAccount({ type: "sandbox" });
    const start = Date.now();
    const stopAt = (ms: number) => setClock({ offsetMs: 0, frozenAt: new Date(start + ms) });
    stopAt(0);
    const answers = await Promise.all(Array.from({ length: 20 }, () => now("+15550007001")));

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 200);
    for (const answer of refused) {
      expect(codeOf(answer)).toEqual([429, 1007]);
      expect(answer.body.error.retry_after).toBe(10);
      expect(answer.headers.get("retry-after")).toBe("10");
    }
    expect((await now("+15550007001", other.token)).status).toBe(200);

    stopAt(9000);
    expect((await now("+15550007001")).body.error.retry_after).toBe(1);
    stopAt(10_000);
    expect((await now("+15550007001")).status).toBe(200);
  });

  test("is not used up by what could not be checked at all", async () => {
    expect(codeOf(await now("5550100"))).toEqual([400, 1002]);
    expect((await now("+15550007001")).status).toBe(200);
  });
});

describe("without an answer", () => {
  const address = "+15550007002";

  test("RCS that is off for the account or the line is 4004", async () => {
    const set = (rcs: boolean) =>
      prisma().line.updateMany({ where: { accountId: account.ref.id }, data: { rcs } });
    await set(false);
    expect(codeOf(await check("rcs", { address }))).toEqual([503, 4004]);
    const named = await check("rcs", { address, from: account.line });
    expect(codeOf(named)).toEqual([503, 4004]);
    expect(named.headers.get("retry-after")).toBe("30");
    await set(true);
    expect((await check("rcs", { address })).status).toBe(200);

    const off = await createTestAccount({ type: "sandbox" });
    await prisma().account.update({ where: { id: off.ref.id }, data: { rcs: false } });
    account = off;
    expect(codeOf(await check("rcs", { address }))).toEqual([503, 4004]);
  });

  test("a line without an RCS account is 4009; a check that cannot run is 4010, for iMessage 4004", async () => {
    await knobs({ has_rcs_account: false });
    expect(codeOf(await check("rcs", { address }))).toEqual([503, 4009]);
    expect((await check("imessage", { address })).body).toMatchObject({ selected_service: "SMS" });

    await knobs({ has_rcs_account: true, checks_fail: true });
    const unavailable = await check("rcs", { address });
    expect(codeOf(unavailable)).toEqual([503, 4010]);
    expect(unavailable.headers.get("retry-after")).toBe("30");
    expect(codeOf(await check("imessage", { address }))).toEqual([503, 4004]);
    expect(
      await prisma().handleCapability.count({ where: { accountId: account.ref.id, service: "RCS" } }),
    ).toBe(0);
  });

  test("an outage of the database is 4004 for both services, not a failed check", async () => {
    registerTransport({
      ...numericTransport,
      name: "away",
      probe: async () => {
        await sql.runText({ text: "select pg_terminate_backend(pg_backend_pid())" });
        throw new Error("the connection was not closed");
      },
    });
    await prisma().line.updateMany({ where: { accountId: account.ref.id }, data: { transport: "away" } });
    for (const service of ["rcs", "imessage"] as const) {
      const answer = await check(service, { address });
      expect(codeOf(answer)).toEqual([503, 4004]);
      expect(answer.body.error.message).toContain("database");
    }
  });

  test("a line that lacks the service, or is another account's, is refused", async () => {
    const rcsLine = `${account.line}7`;
    await createLine(account.ref, { phoneNumber: rcsLine, lineType: "RCS", transport: "simulator" });
    expect(codeOf(await check("imessage", { address, from: rcsLine }))).toEqual([409, 2017]);
    expect(codeOf(await check("rcs", { address, from: "+15550109999" }))).toEqual([403, 2006]);

    // RCS checks prefer the RCS line, so the other line's missing account does not matter.
    await knobs({ has_rcs_account: false });
    expect((await check("rcs", { address })).status).toBe(200);
    expect(codeOf(await check("rcs", { address, from: account.line }))).toEqual([503, 4009]);
  });
});
