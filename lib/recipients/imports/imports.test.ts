import "@/lib/testing/use-test-database";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { POST as previewBlocks } from "@/app/api/blocked-handles/import/preview/route";
import { POST as importBlocks } from "@/app/api/blocked-handles/import/route";
import { GET as listBlockedHandleViews, DELETE as unblock } from "@/app/api/blocked-handles/route";
import { GET as exportOptOuts } from "@/app/api/opt-outs/csv/route";
import { POST as previewOptOuts } from "@/app/api/opt-outs/import/preview/route";
import { POST as importOptOuts } from "@/app/api/opt-outs/import/route";
import { GET as listOptOuts } from "@/app/api/opt-outs/route";
import { sql } from "@/lib/platform/database/db";
import { cleanHandle, readImport } from "@/lib/recipients/imports/read-import";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createDirectChat, createTestPhone, writeAs } from "@/lib/testing/factories";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";

let account: TestAccount;
let support: DashboardUser;
let viewer: DashboardUser;

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
  [support, viewer] = await Promise.all([signInAs(account, "support"), signInAs(account, "viewer")]);
});

const post = (body: object) => ({ method: "POST", body }) as const;
const results = (rows: { line: number; handle: string; result: string }[]) =>
  rows.map(({ line, handle, result }) => `${line} ${handle} ${result}`);

describe("a preview", () => {
  test("says for each row whether it would be imported and why not, and stores nothing", async () => {
    await support.call(importOptOuts, post({ filename: "old.csv", rows: [{ handle: "+15550100190" }] }));
    const csv = [
      "\ufeffPhone number;Name;Note",
      "+1 (555) 010-0101;Ada;asked by phone",
      "'+15550100101;Ada;again",
      "+15550100190;Bo;",
      "555 010 0102;Cy;",
      "ADA@Example.com;Ada;",
      "",
      ";Dee;no number",
      `+15550100103;Eve;${"x".repeat(501)}`,
    ].join("\r\n");
    const { status, body } = await support.call(previewOptOuts, post({ csv }));

    expect(status).toBe(200);
    expect(body.header).toEqual(["Phone number", "Name", "Note"]);
    expect(results(body.rows)).toEqual([
      "2 +15550100101 new",
      "3 +15550100101 duplicate",
      "4 +15550100190 listed",
      "5 555 010 0102 invalid",
      "6 ada@example.com new",
      "8  invalid",
      "9 +15550100103 invalid",
    ]);
    expect(body.rows.map(({ reason }: { reason: string | null }) => reason)).toEqual([
      null,
      "The same handle is in line 2.",
      "The handle is already opted out.",
      expect.stringContaining("country code"),
      null,
      "The row has no handle.",
      "The note is longer than 500 characters.",
    ]);
    expect(body.rows[0]).toMatchObject({ note: "asked by phone" });
    expect((await support.call(listOptOuts)).body.opt_outs).toHaveLength(1);
  });

  test("of a file without a header reads the first two columns; blocks accept short codes and sender IDs", async () => {
    const { body } = await support.call(
      previewBlocks,
      post({ csv: "+15550100101,spam\n40404,spam\n12,spam\n" }),
    );
    expect([body.header, ...results(body.rows)]).toEqual([
      null,
      "1 +15550100101 new",
      "2 40404 new",
      "3 12 invalid",
    ]);
    const named = await support.call(previewBlocks, post({ csv: "handle,reason\nACME,spam\n" }));
    expect(results(named.body.rows)).toEqual(["2 ACME new"]);
  });

  test("of a file that is not CSV, is empty or is too long is an error that says so", async () => {
    const refused = async (csv: string) => (await support.call(previewOptOuts, post({ csv }))).body.error;
    expect(await refused('handle\n"+15550100101')).toMatchObject({
      code: 1005,
      message: expect.stringContaining("not valid CSV"),
    });
    expect((await refused("handle,note\n")).message).toContain("contains no rows");
    const rows = (count: number) =>
      Array.from({ length: count }, (_, at) => `+1555${1_000_000 + at}`).join("\n");
    expect((await refused(rows(10_001))).message).toContain("more than 10,000 rows");
    expect((await support.call(previewOptOuts, post({ csv: rows(10_000) }))).body.rows).toHaveLength(10_000);
  });

  test("leaves out opt-outs of an exported file that have ended", async () => {
    const phone = await createTestPhone(account);
    await createDirectChat(account, phone);
    await writeAs(account, phone, { to: account.line, text: "STOP" });
    await writeAs(account, phone, { to: account.line, text: "hello again" });
    await support.call(importOptOuts, post({ filename: "a.csv", rows: [{ handle: "+15550100101" }] }));
    const exported = await support.call(exportOptOuts, { query: { state: "all" } });
    const other = await createTestAccount({ type: "sandbox" });
    const admin = await signInAs(other, "admin");
    const { body } = await admin.call(previewOptOuts, post({ csv: exported.body }));
    expect(results(body.rows)).toEqual(["2 +15550100101 new", `3 ${phone} invalid`]);
  });
});

describe("a file whose quotation marks do not match", () => {
  const broken = '"+12025550199\n';
  const numbered = (count: number) =>
    Array.from({ length: count }, (_, at) => `+1202${5_550_000 + at}`).join("\n");

  test("is read to its end behind blank lines", () => {
    const { rows } = readImport(`handle\n${"\n".repeat(10_100)}+12025550101\n${broken}`);
    expect(rows.map(({ handle }) => handle)).toEqual(["+12025550101", ""]);
  });

  test("is refused beyond 10,000 rows, like every file", () => {
    expect(() => readImport(`handle\n${broken}${numbered(10_000)}`)).toThrow("more than 10,000 rows");
    expect(readImport(`handle\n${broken}${numbered(9999)}`).rows).toHaveLength(10_000);
  });
});

test.each<[string, string, string[]]>([
  ["of dates", "Born,Telefon\n1980-05-01,+12025550101\n01.05.1981,\n", ["+12025550101", ""]],
  [
    "of ids",
    "Kunde,Telefon\n10000001,+12025550101\n10000002,\n10000003,ada@example.com\n",
    ["+12025550101", "", "ada@example.com"],
  ],
  [
    "of dates and a column of numbers without +",
    "Born,Telefon\n1980-05-01,12025550101\n1981-05-01,\n",
    ["12025550101", ""],
  ],
])("a column %s is not read as handles", (_, csv, handles) => {
  expect(readImport(csv).rows.map(({ handle }) => handle)).toEqual(handles);
});

describe("a file of another program", () => {
  const handlesOf = (csv: string) =>
    readImport(csv).rows.map(({ line, handle, note }) => [line, handle, note]);

  test.each([
    [
      "Google Contacts",
      "First Name,Last Name,Notes,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value,Phone 2 - Value\n" +
        "Ada,L,likes tea,* Home,ada@example.com,Mobile,+1 202-555-0101 ::: +12025550102,+12025550103\n" +
        "Bo,,,Home,bo@example.com,,,\n",
      [
        [2, "+1 202-555-0101", null],
        [2, "+12025550102", null],
        [2, "+12025550103", null],
        [3, "bo@example.com", null],
      ],
    ],
    [
      "Outlook",
      '"First Name","Home Phone","Mobile Phone","Home Fax","E-mail Address"\n"Ada","","+12025550101","+12025550199","a@example.com"\n',
      [[2, "+12025550101", null]],
    ],
    ["a column Mobile number", "Name;Mobile number\nAda;+12025550101\n", [[2, "+12025550101", null]]],
    ["a line sep=;", "sep=;\r\nPhone;Reason\r\n+12025550101;a, b\r\n", [[3, "+12025550101", "a, b"]]],
    [
      "a quotation mark in a cell",
      'handle,note\n+12025550101,5" screen\n+12025550102,x\n',
      [
        [2, "+12025550101", '5" screen'],
        [3, "+12025550102", "x"],
      ],
    ],
    [
      "formulas of text",
      'Phone\n="+12025550101"\n"=""+12025550102"""\n',
      [
        [2, "+12025550101", null],
        [3, "+12025550102", null],
      ],
    ],
    [
      "marks of direction",
      "Phone\n\u202a+1 202 555 0101\u202c\n\u200e+12025550102\n",
      [
        [2, "+1 202 555 0101", null],
        [3, "+12025550102", null],
      ],
    ],
    ["dashes that do not break", "Phone\n+1 202\u2011555\u20110101\n", [[2, "+1 202-555-0101", null]]],
    ["returns only", "sep=;\rPhone;Note\r+12025550101;a\r", [[3, "+12025550101", "a"]]],
    ["bars", "Phone|Note\n+12025550101|a, b\n", [[2, "+12025550101", "a, b"]]],
    ["formulas of numbers", "Phone\n=+12025550101\n", [[2, "+12025550101", null]]],
    [
      "links",
      "Phone\ntel:+12025550101\nSMS:+1-202-555-0102\n(+1) 202 555 0103\n",
      [
        [2, "+12025550101", null],
        [3, "+1-202-555-0102", null],
        [4, "+1 202 555 0103", null],
      ],
    ],
    [
      "several numbers in a cell",
      'Phone,Note\n"+12025550101; +12025550102",a; b\n+12025550103 / +12025550104,\n',
      [
        [2, "+12025550101", "a; b"],
        [2, "+12025550102", "a; b"],
        [3, "+12025550103", null],
        [3, "+12025550104", null],
      ],
    ],
    [
      "names in another language",
      "Vorname;Telefonnummer\nAda;+4915112345678\n",
      [[2, "+4915112345678", null]],
    ],
    ["a column Contact with names", "Contact,Phone\nAda L,+12025550101\n", [[2, "+12025550101", null]]],
    ["a column Number with counts", "Number,Phone\n1,+12025550101\n", [[2, "+12025550101", null]]],
    ["digits of full width", "Phone\n\uff0b12025550101\n", [[2, "+12025550101", null]]],
    [
      "a semicolon in a note",
      "handle,note\n+12025550101,call; then stop\n",
      [[2, "+12025550101", "call; then stop"]],
    ],
  ])("%s is read", (_, csv, rows) => {
    expect(handlesOf(csv)).toEqual(rows);
  });

  test("with a row that has no handle refuses that row, with its line and the reason", async () => {
    const csv = "Name,Phone 1 - Value\nAda,+12025550101\nBo,\nCy,12\n";
    const { body } = await support.call(previewOptOuts, post({ csv }));
    expect(results(body.rows)).toEqual(["2 +12025550101 new", "3  invalid", "4 12 invalid"]);
    expect(body.rows[1].reason).toBe("The row has no handle.");
  });
});

test("a row whose quotation marks do not match is refused alone, with its line", async () => {
  const csv = 'handle,note\n+12025550101,a\n+12025550102,"x" y\n"+1202"5550103,b\n+12025550104,c\n';
  const { body } = await support.call(previewOptOuts, post({ csv }));
  expect(results(body.rows)).toEqual([
    "2 +12025550101 new",
    "3  invalid",
    "4  invalid",
    "5 +12025550104 new",
  ]);
  expect(body.rows[1].reason).toContain('quotation marks of the row do not match: +12025550102,"x" y');
});

describe("an import", () => {
  test("of opt-outs stops sends, and its evidence is the person and the file", async () => {
    const phone = await createTestPhone(account);
    const chatId = await createDirectChat(account, phone);
    const rows = [
      { handle: phone, note: "asked by phone" },
      { handle: "+15550100101", note: null },
    ];
    const imported = await support.call(importOptOuts, post({ filename: "consent.csv", rows }));
    expect(imported).toMatchObject({ status: 200, body: { added: 2, listed: 0 } });

    const send = await callApi(`POST /v3/chats/${chatId}/messages`, {
      token: account.token,
      body: { message: { parts: [{ type: "text", value: "hello" }] } },
    });
    expect(send.body.error.code).toBe(2024);
    const { opt_outs } = (await support.call(listOptOuts, { query: { handle: phone } })).body;
    expect(opt_outs).toMatchObject([
      {
        cause: "person",
        by: { type: "user", name: "A support" },
        source_file: "consent.csv",
        ended_at: null,
      },
    ]);
    expect(await audited("opt_out.set")).toEqual([
      ["+15550100101", { note: null, filename: "consent.csv" }],
      [phone, { note: "asked by phone", filename: "consent.csv" }],
    ]);
  });

  test("that is repeated changes nothing, and twelve at once add each handle once", async () => {
    const rows = Array.from({ length: 40 }, (_, at) => ({ handle: `+1555010${1000 + at}` }));
    const batches = Array.from({ length: 12 }, (_, at) => (at % 2 === 0 ? rows : rows.toReversed()));
    const all = await Promise.all(
      batches.map((batch) => support.call(importOptOuts, post({ filename: "a.csv", rows: batch }))),
    );
    expect(all.map(({ status }) => status)).toEqual(batches.map(() => 200));
    expect(all.reduce((sum, { body }) => sum + body.added, 0)).toBe(40);
    const again = await support.call(importOptOuts, post({ filename: "b.csv", rows }));
    expect(again.body).toEqual({ added: 0, listed: 40 });
    expect(await audited("opt_out.set")).toHaveLength(40);
  });

  test("of a batch with one invalid handle stores none of it", async () => {
    const rows = [{ handle: "+15550100101" }, { handle: "0101" }];
    expect((await support.call(importOptOuts, post({ filename: "a.csv", rows }))).status).toBe(400);
    expect((await support.call(listOptOuts)).body.opt_outs).toEqual([]);
    const many = Array.from({ length: 201 }, (_, at) => ({ handle: `+1555010${1000 + at}` }));
    expect((await support.call(importOptOuts, post({ filename: "a.csv", rows: many }))).status).toBe(400);
  });

  test("of blocks names the file in the list and the audit log, never on the wire, until the handle is unblocked", async () => {
    const rows = [
      { handle: "+15550100101", note: "spam" },
      { handle: "+15550100101", note: "twice" },
    ];
    const imported = await support.call(importBlocks, post({ filename: "spam.csv", rows }));
    expect(imported.body).toEqual({ added: 1, listed: 1 });
    const blocks = async () => (await support.call(listBlockedHandleViews)).body.blocks;
    expect(await blocks()).toMatchObject([
      { handle: "+15550100101", reason: "spam", source_file: "spam.csv", by: { name: "A support" } },
    ]);
    expect(await audited("handle.blocked")).toEqual([
      ["+15550100101", { reason: "spam", filename: "spam.csv" }],
    ]);
    const wire = await callApi("GET /v3/blocked_handles", { token: account.token });
    expect(Object.keys(wire.body.blocked_handles[0])).toEqual(["handle", "blocked_at", "reason"]);

    await support.call(unblock, { method: "DELETE", body: { handle: "+15550100101" } });
    await callApi("POST /v3/blocked_handles", { token: account.token, body: { handle: "+15550100101" } });
    expect(await blocks()).toMatchObject([{ source_file: null, reason: null }]);
  });

  test("needs the right of the single action", async () => {
    const rows = [{ handle: "+15550100101" }];
    for (const route of [importOptOuts, importBlocks]) {
      expect((await viewer.call(route, post({ filename: "a.csv", rows }))).body.error.code).toBe(2005);
    }
    for (const route of [previewOptOuts, previewBlocks]) {
      expect((await viewer.call(route, post({ csv: "+15550100101" }))).body.error.code).toBe(2005);
    }
  });
});

test("every handle and note that is written as CSV is read back", () => {
  const cell = fc.string({ maxLength: 40 }).map((text) => text.replaceAll(/[\r\0]/g, "").trim());
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 20 }), (cells) => {
      const rows = cells.filter(
        ([handle]) => handle !== "" && handle === cleanHandle(handle) && !handle.includes(" ::: "),
      );
      const written = rows.filter(([, note]) => !/^'[=+\-@]/.test(note));
      fc.pre(written.length > 0);
      const csv = ["handle,note", ...written.map((row) => row.map(quoted).join(","))].join("\n");
      const read = readImport(csv).rows.map(({ handle, note }) => [handle, note ?? ""]);
      expect(read).toEqual(written);
    }),
  );
});

async function audited(action: string): Promise<[string, unknown][]> {
  const rows = await sql.runText<{ object_id: string; detail: unknown }>({
    text: `select object_id, detail from audit_entries where account_id = $1 and action = $2 order by object_id`,
    values: [account.ref.id, action],
  });
  return rows.map(({ object_id, detail }) => [object_id, detail]);
}
