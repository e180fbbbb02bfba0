import "@/lib/testing/use-test-database";
import { beforeAll, expect, test } from "vitest";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { registerTransport } from "@/lib/adapters/transports/registry";
import { chooseLineService } from "@/lib/messaging/sending/choose-service";
import { sql } from "@/lib/platform/database/db";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { lineOf } from "@/lib/testing/line-of";
import { numericTransport } from "@/lib/testing/vendors/numeric-transport";

let account: TestAccount;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
});

async function choose(name: string, probe: () => Promise<never>) {
  registerTransport({ ...numericTransport, name, capabilityCacheSeconds: 0, probe });
  const line = await lineOf(account);
  return chooseLineService(
    { line, transport: name, lineHasRcs: false, recipients: ["+15550107777"] },
    null,
    5000,
  );
}

test("a capability that the transport can't check counts as unknown", async () => {
  const probe = async () => {
    throw new AdapterError("unknown_outcome", "no response");
  };
  expect(await choose("silent", probe)).toBe("SMS");
});

test("a line that is down is no reason to choose a lower service", async () => {
  const probe = async () => {
    throw new AdapterError("line_down", "not connected");
  };
  await expect(choose("down", probe)).rejects.toMatchObject({ kind: "line_down" });
});

test("an outage of the database is no reason to choose a lower service", async () => {
  const probe = async () => {
    await sql.runText({ text: "select pg_terminate_backend(pg_backend_pid())" });
    throw new Error("the connection was not closed");
  };
  await expect(choose("away", probe)).rejects.toThrow(/terminat/i);
});
