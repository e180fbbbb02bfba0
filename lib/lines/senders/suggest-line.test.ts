import "@/lib/testing/use-test-database";

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createLine } from "@/lib/lines/lines/create-line";
import { setLineStatus } from "@/lib/lines/lines/set-line-status";
import { prisma } from "@/lib/platform/database/db";
import { setClock } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { fetchFile } from "@/lib/testing/call-files";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";

let account: TestAccount;
let second: { id: string; number: string };
let counter = 0;

beforeEach(async () => {
  account = await createTestAccount({ type: "production" });
  second = await addLine("iMessage");
});

afterEach(() => setClock(null));

async function addLine(lineType: "iMessage" | "RCS") {
  const number = `+1889${String(1_000_000 + ++counter)}`;
  const { id } = await createLine(account.ref, { phoneNumber: number, lineType, transport: "simulator" });
  return { id, number };
}

function sendRequest(query: string = "") {
  return callApi(`GET /v3/available_number${query}`, { token: account.token });
}

const encode = encodeURIComponent;

async function numberOf(query?: string): Promise<string> {
  return (await sendRequest(query)).body.phone_number;
}

function codeOf({ status, body }: { status: number; body: { error: { code: number } } }): [number, number] {
  return [status, body.error.code];
}

describe("the suggested line", () => {
  test("is another each time, and a suggestion counts as use", async () => {
    expect([await numberOf(), await numberOf(), await numberOf()]).toEqual([
      account.line,
      second.number,
      account.line,
    ]);
    const { body } = await callApi("POST /v3/messages", {
      token: account.token,
      body: { to: ["+15550009001"], message: { parts: [{ type: "text", value: "hi" }] } },
    });
    expect(body.from).toBe(second.number);
    expect(await numberOf()).toBe(account.line);
  });

  test("of twenty asked for at once are ten each", async () => {
    const numbers = await Promise.all(Array.from({ length: 20 }, () => numberOf()));
    expect(numbers.filter((number) => number === account.line)).toHaveLength(10);
  });

  test("is that of the chat there is, however the recipients are written, until it is flagged", async () => {
    const to = ["+15550009002", "ada@example.com"];
    const { body } = await callApi("POST /v3/chats", {
      token: account.token,
      body: { from: second.number, to, message: { parts: [{ type: "text", value: "hi" }] } },
    });
    expect(body.chat.is_group).toBe(true);

    const joined = `?to=${encode(to.toReversed().join(","))}`;
    const repeated = `?${to.map((handle) => `to=${encode(handle)}`).join("&")}`;
    const excluded = `${joined}&exclude_from=${encode(second.number)}`;
    for (const query of [joined, repeated, joined, excluded])
      expect(await numberOf(query)).toBe(second.number);

    await setLineStatus(account.context(), second.id, "FLAGGED");
    expect(await numberOf(joined)).toBe(account.line);
  });

  test("is the healthiest, and of the type that is asked for", async () => {
    await prisma().line.updateMany({
      where: { phoneNumber: account.line },
      data: { reputation: "CRITICAL" },
    });
    const rcs = await addLine("RCS");
    await prisma().line.update({
      where: { accountId_id: { accountId: account.ref.id, id: rcs.id } },
      data: { reputation: "AT_RISK" },
    });
    expect([await numberOf(), await numberOf()]).toEqual([second.number, second.number]);
    expect(await numberOf("?type=RCS")).toBe(rcs.number);
    expect(await numberOf(`?exclude_from=${encode(second.number)}`)).toBe(rcs.number);
    const email = `?exclude_from=${encode(second.number)}&to=ada%40example.com`;
    expect(await numberOf(email)).toBe(account.line);
  });

  test.each([
    ["all lines excluded", () => `?exclude_from=${encode(account.line)},${encode(second.number)}`, 400, 1005],
    ["no line of the type", () => "?type=RCS", 409, 2015],
    ["an unknown type", () => "?type=SMS", 400, 1005],
    ["a number not in E.164", () => "?to=5550100", 400, 1002],
    ["an excluded number not in E.164", () => "?exclude_from=5550100", 400, 1002],
  ])("with %s is refused", async (_, query, status, code) => {
    expect(codeOf(await sendRequest(query()))).toEqual([status, code]);
  });
});

describe("the vCard", () => {
  test("has the contact card, the suggested number first and other healthy lines behind it", async () => {
    await callApi("POST /v3/contact_card", {
      token: account.token,
      body: { phone_number: account.line, first_name: "Harbor", last_name: "Kitchen" },
    });
    const flagged = await addLine("iMessage");
    await setLineStatus(account.context(), flagged.id, "FLAGGED");

    const { body } = await sendRequest();
    const { status, headers, bytes } = await fetchFile(body.vcf_url);

    expect([status, headers.get("content-type")]).toEqual([200, "text/vcard; charset=utf-8"]);
    const lines = bytes.toString("utf8").split("\r\n");
    expect(lines).toContain("FN:Harbor Kitchen");
    expect(lines.filter((line) => line.startsWith("TEL"))).toEqual([
      `TEL;TYPE=CELL,PREF:${account.line}`,
      `TEL;TYPE=CELL:${second.number}`,
    ]);
  });

  test("of a line without a card has the partner's name", async () => {
    const { bytes } = await fetchFile((await sendRequest()).body.vcf_url);
    expect(bytes.toString("utf8")).toMatch(/\r\nFN:Partner \d+\r\n/);
  });

  test("is refused a day later, for another line, and with another signature", async () => {
    const url: string = (await sendRequest()).body.vcf_url;
    const lineId = (await prisma().line.findFirstOrThrow({ where: { phoneNumber: account.line } })).id;
    for (const changed of [url.replace(lineId, second.id), `${url}x`, url.replace(/\?.*/, "")]) {
      expect((await fetchFile(changed)).body.error.code).toBe(2005);
    }
    setClock({ offsetMs: 24 * 60 * 60 * 1000 + 1000, frozenAt: null });
    expect((await fetchFile(url)).body.error.code).toBe(2005);
  });
});
