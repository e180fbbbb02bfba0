import "@/lib/testing/use-test-database";

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { connectionOf } from "@/lib/adapters/transports/callback";
import { registerTransport } from "@/lib/adapters/transports/registry";
import { createAccount } from "@/lib/identity/accounts/create-account";
import { setLineConnection } from "@/lib/lines/connections/line-connection";
import { sealStandby } from "@/lib/lines/transports/line-transport-rows";
import type { AccountRef } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { numericTransport } from "@/lib/testing/vendors/numeric-transport";
import { LINE_COMMANDS } from "@/scripts/admin/line-commands";

const SETTINGS = { url: "https://vendor.example.com", secret: "vendor-secret" };

let folder: string;
let account: AccountRef;
let line: string;
let numbers = 0;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "trunkline-admin-"));
  registerTransport(numericTransport);
});

beforeEach(async () => {
  account = (await createTestAccount({ type: "sandbox" })).ref;
  line = idOf(await createLine());
});

afterAll(() => rm(folder, { recursive: true }));

function admin(command: string, options: Record<string, unknown>): Promise<string> {
  return LINE_COMMANDS[command]?.(options) ?? Promise.reject(new Error(`no command ${command}`));
}

function createLine(more: Record<string, unknown> = {}): Promise<string> {
  const number = `+1555018${1000 + ++numbers}`;
  return admin("create-line", {
    account: account.id,
    number,
    type: "iMessage",
    transport: "numeric",
    ...more,
  });
}

async function fileOf(content: unknown): Promise<string> {
  const file = path.join(folder, "settings.json");
  await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

interface StoredLine {
  connection: Buffer | null;
  status: string;
  phone_number: string;
  transport: string;
  isReleased: boolean;
}

async function stored(): Promise<StoredLine> {
  const [row] = await sql.runText<StoredLine>({
    text: `select connection, status, phone_number, transport, released_at is not null as "isReleased"
           from lines where account_id = $1 and id = $2`,
    values: [account.id, line],
  });
  if (row === undefined) throw new Error("the line is gone");
  return row;
}

async function audited(action: string): Promise<object[]> {
  const rows = await sql.runText<{ detail: object }>({
    text: "select detail from audit_entries where account_id = $1 and object_id = $2 and action = $3 order by id",
    values: [account.id, line, action],
  });
  return rows.map(({ detail }) => detail);
}

const idOf = (output: string) => /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(output)?.[0] ?? "";

describe("connect-line", () => {
  test("stores the settings encrypted, prints the callback URL, and the transport finds them", async () => {
    const output = await admin("connect-line", { line, file: await fileOf(SETTINGS) });
    const { connection, phone_number: phoneNumber } = await stored();
    expect(output).toBe(
      `line ${line}  ${phoneNumber} is connected. Callback URL: http://trunkline.test/inbound/lines/${line}`,
    );
    expect(connection?.toString("latin1")).not.toContain("vendor");
    expect(
      await connectionOf({ accountId: account.id, id: line, phoneNumber, lineType: "iMessage" }),
    ).toEqual(SETTINGS);
  });

  test("again takes the place of the earlier settings; the audit log has their names, not their values", async () => {
    await admin("connect-line", { line, file: await fileOf(SETTINGS) });
    await admin("connect-line", { line, file: await fileOf({ token: "another" }) });
    const { phone_number: phoneNumber } = await stored();
    expect(
      await connectionOf({ accountId: account.id, id: line, phoneNumber, lineType: "iMessage" }),
    ).toEqual({ token: "another" });
    expect(await audited("line.connected")).toEqual([
      { settings: ["secret", "url"] },
      { settings: ["token"] },
    ]);
  });

  test.each(["", "{", "[]", '"text"', '{"port":1}', '{"nested":{}}', "null"])(
    "with the file %j is refused, and nothing is stored",
    async (content) => {
      await expect(admin("connect-line", { line, file: await fileOf(content) })).rejects.toThrow(
        "must contain a JSON object whose values are strings",
      );
      expect((await stored()).connection).toBeNull();
    },
  );

  test.each([
    ["smpp", { host: "smsc.example.com", system_id: "x" }, "password"],
    ["twilio", { account_sid: "AC1", auth_token: "x" }, "account_sid"],
    ["imsg", { ssh_host: "-oProxyCommand=x" }, "ssh_host"],
  ])(
    "of a line on %s with settings that it does not accept is refused",
    async (transport, settings, named) => {
      await sql.runText({ text: "update lines set transport = $2 where id = $1", values: [line, transport] });
      await expect(admin("connect-line", { line, file: await fileOf(settings) })).rejects.toThrow(named);
      expect((await stored()).connection).toBeNull();
    },
  );

  test("of an unknown line, without a file, or with a file that is not there is refused", async () => {
    await expect(admin("connect-line", { line: newId(1), file: await fileOf(SETTINGS) })).rejects.toThrow(
      "no line has the ID",
    );
    await expect(admin("connect-line", { line })).rejects.toThrow();
    await expect(admin("connect-line", { line, file: path.join(folder, "none.json") })).rejects.toThrow(
      "none.json",
    );
  });

  test("of a line that was released is refused, and nothing is stored", async () => {
    await admin("release-line", { line });
    await expect(admin("connect-line", { line, file: await fileOf(SETTINGS) })).rejects.toThrow("released");
    expect((await stored()).connection).toBeNull();
    expect(await audited("line.connected")).toEqual([]);
  });
});

describe("create-line", () => {
  test("creates the line on its transport, with an audit entry", async () => {
    expect(await stored()).toMatchObject({ transport: "numeric", status: "ACTIVE", isReleased: false });
    expect(await audited("line.created")).toHaveLength(1);
  });

  test("refuses an unknown transport, an unknown account and a number that is not E.164", async () => {
    await expect(createLine({ transport: "pigeon" })).rejects.toThrow("transport");
    await expect(createLine({ account: newId(1) })).rejects.toThrow("no account has the ID");
    await expect(createLine({ number: "5550101" })).rejects.toThrow();
  });

  test("refuses the simulator for a production account and names the transports that it can use", async () => {
    const { ref } = await createTestAccount({ type: "production" });
    await expect(createLine({ account: ref.id, transport: undefined })).rejects.toThrow(
      "production accounts can use",
    );
  });
});

test("set-line-status flags a line and clears it, each with an audit entry", async () => {
  for (const status of ["FLAGGED", "ACTIVE"]) {
    expect(await admin("set-line-status", { line, status })).toContain(`is ${status}`);
    expect((await stored()).status).toBe(status);
  }
  expect(await audited("line.status_changed")).toHaveLength(2);
  await expect(admin("set-line-status", { line, status: "DOWN" })).rejects.toThrow();
});

describe("check-line", () => {
  const CHECKED = {
    ...numericTransport,
    name: "checked",
    settings: z.object({
      token: z.string().meta({ label: "Token", secret: true }),
      warn: z.string().optional().meta({ label: "Warning" }),
    }),
    test: async (_: unknown, { token, warn }: Record<string, string>) => {
      if (token !== "right") throw new AdapterError("rejected", "The token is wrong.");
      return warn === undefined ? [] : [warn];
    },
  };

  beforeAll(() => registerTransport(CHECKED));
  afterEach(() => {
    process.exitCode = undefined;
  });

  async function connect(settings: Record<string, string>): Promise<void> {
    await sql.runText({ text: "update lines set transport = 'checked' where id = $1", values: [line] });
    await admin("connect-line", { line, file: await fileOf(settings) });
  }

  test("tests the connection with its stored settings, and shows its warnings", async () => {
    await connect({ token: "right", warn: "Reactions do not work." });
    const output = await admin("check-line", { line });
    expect(output.split("\n").slice(1)).toEqual([
      "ok    connection 1, checked, in use: works",
      "warn  connection 1, checked, in use: Reactions do not work.",
      "No connection failed.",
    ]);
    expect(process.exitCode).toBeUndefined();
  });

  test("explains a connection that does not work, and ends with exit code 5", async () => {
    await connect({ token: "wrong" });
    const output = await admin("check-line", { line });
    expect(output).toContain("FAIL  connection 1, checked, in use: The token is wrong.\n1 failed.");
    expect(output).not.toContain('wrong"');
    expect(process.exitCode).toBe(5);
  });

  test("explains stored settings that the transport does not accept any more", async () => {
    await connect({ token: "right" });
    await setLineConnection({ accountId: account.id, id: line }, { warn: "no token" });
    expect(await admin("check-line", { line })).toContain(
      "FAIL  connection 1, checked, in use: Invalid parameter value: Token: enter a value",
    );
  });

  test("tests the other connections of the failover order, too", async () => {
    await connect({ token: "right" });
    const { accountId, id } = { accountId: account.id, id: newId(Date.now()) };
    await sql.runText({
      text: `insert into line_standbys (account_id, id, line_id, position, transport, connection, connection_number)
             values ($1, $2, $3, 1, 'numeric', $4, 2)`,
      values: [accountId, id, line, sealStandby(accountId, id, {})],
    });
    expect(await admin("check-line", { line })).toContain("skip  connection 2, numeric: can't be tested");
  });

  test("of an unknown or released line is refused", async () => {
    await expect(admin("check-line", { line: newId(1) })).rejects.toThrow("no line has the ID");
    await admin("release-line", { line });
    await expect(admin("check-line", { line })).rejects.toThrow();
  });
});

test("move-line moves the number to another account of the partner, with its connection", async () => {
  await admin("connect-line", { line, file: await fileOf(SETTINGS) });
  const { phone_number: phoneNumber } = await stored();
  const target = await createAccount(account.partnerId, "second", "sandbox");
  const stranger = (await createTestAccount({ type: "sandbox" })).ref;
  await expect(admin("move-line", { line, to: stranger.id })).rejects.toThrow();

  const output = await admin("move-line", { line, to: target.id });

  expect(output).toContain(`${phoneNumber} belongs to account ${target.id}`);
  const ref = { accountId: target.id, id: idOf(output), phoneNumber, lineType: "iMessage" } as const;
  expect(await connectionOf(ref)).toEqual(SETTINGS);
  expect((await stored()).isReleased).toBe(true);
});

test("release-line releases the number once", async () => {
  expect(await admin("release-line", { line })).toContain("is released");
  expect((await stored()).isReleased).toBe(true);
  await expect(admin("release-line", { line })).rejects.toThrow();
  expect(await audited("line.released")).toHaveLength(1);
});
