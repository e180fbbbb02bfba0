import "@/lib/testing/use-test-database";

import { beforeAll, describe, expect, test } from "vitest";
import { setLineStatus } from "@/lib/lines/lines/set-line-status";
import { prisma } from "@/lib/platform/database/db";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";

const UNKNOWN_ID = "019ca9c2-4c00-7a31-8f00-2b6c1d4e5f60";

let ours: TestAccount;
let theirs: TestAccount;
let lineId: string;

beforeAll(async () => {
  ours = await createTestAccount({ type: "production" });
  theirs = await createTestAccount({ type: "production" });
  lineId = await lineIdOf(ours);
});

async function lineIdOf(account: TestAccount): Promise<string> {
  const line = await prisma().line.findFirstOrThrow({ where: { phoneNumber: account.line } });
  return line.id;
}

function forward(id: string, forwarding_number: unknown) {
  return callApi(`PUT /v3/phone_numbers/${id}`, { token: ours.token, body: { forwarding_number } });
}

function get(path: string) {
  return callApi(`GET ${path}`, { token: ours.token });
}

describe("listing lines", () => {
  test("shows the whole record, health_status as a copy of reputation", async () => {
    const { status, body } = await get("/v3/phone_numbers");
    const reputation = { status: "HEALTHY", doc_url: expect.stringMatching(/#healthy$/) };
    expect(status).toBe(200);
    expect(body.phone_numbers).toEqual([
      {
        id: lineId,
        phone_number: ours.line,
        line_type: "iMessage",
        status: "ACTIVE",
        reputation,
        health_status: reputation,
        forwarding_number: null,
        created_at: expect.stringMatching(/Z$/),
      },
    ]);
  });

  test("the deprecated list says what a line can carry", async () => {
    const { status, body } = await get("/v3/phonenumbers");
    expect(status).toBe(200);
    expect(body.phone_numbers).toEqual([
      {
        id: lineId,
        phone_number: ours.line,
        capabilities: { mms: true, sms: true, voice: false },
        country_code: null,
        type: null,
      },
    ]);
  });
});

describe("forwarding", () => {
  const events = () =>
    prisma().event.findMany({
      where: { accountId: ours.ref.id, type: "phone_number.forwarding_updated" },
      orderBy: { seq: "asc" },
    });

  test("is stored, emits one event for each change, and is cleared by null or an empty text", async () => {
    const set = await forward(lineId, "+15550008001");
    expect(set.status).toBe(200);
    expect(set.body).toEqual({ id: lineId, phone_number: ours.line, forwarding_number: "+15550008001" });

    await forward(lineId, "+15550008001");
    expect((await forward(lineId, "")).body.forwarding_number).toBeNull();
    await forward(lineId, null);

    const changes = (await events()).map(({ data }) => data);
    expect(changes).toMatchObject([
      { phone_number: ours.line, change: { from: null, to: "+15550008001" } },
      { phone_number: ours.line, change: { from: "+15550008001", to: null } },
    ]);
    expect((await get("/v3/phone_numbers")).body.phone_numbers[0].forwarding_number).toBeNull();
  });

  test("works while the line is flagged", async () => {
    await setLineStatus(ours.context(), lineId, "FLAGGED");
    expect((await forward(lineId, "+15550008002")).status).toBe(200);
    await setLineStatus(ours.context(), lineId, "ACTIVE");
  });

  const refusals: [string, () => Promise<string> | string, unknown, number, number][] = [
    ["an unknown line", () => UNKNOWN_ID, null, 404, 2019],
    ["another account's line", () => lineIdOf(theirs), null, 403, 2005],
    ["an id that is no UUID", () => "12", null, 400, 1005],
    ["a number not in E.164", () => lineId, "555-0100", 400, 1002],

    ["no number at all", () => lineId, undefined, 400, 1001],
  ];

  test.each(refusals)("to or of %s is refused", async (_, id, number, status, code) => {
    const answer = await forward(await id(), number);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
  });

  test("to the line itself is refused", async () => {
    const answer = await forward(lineId, ours.line);
    expect([answer.status, answer.body.error.code]).toEqual([400, 1005]);
  });
});
