import "@/lib/testing/use-test-database";
import { randomInt } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { updateAccountOptions } from "@/lib/identity/accounts/update-account-options";
import { sql } from "@/lib/platform/database/db";
import { startWorker, type Worker } from "@/lib/runtime/worker/start-worker";
import { callApi } from "@/lib/testing/call-api";
import { connectMcp } from "@/lib/testing/connect-mcp";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createTestPhone, writeAs } from "@/lib/testing/factories";
import { serveApi } from "@/lib/testing/serve-api";
import { type Receiver, startReceiver } from "@/lib/testing/servers/start-receiver";

type Mcp = Awaited<ReturnType<typeof connectMcp>>;

interface Planted {
  account: TestAccount;
  phone: string;
}

let api: Awaited<ReturnType<typeof serveApi>>;
let worker: Worker;
let receiver: Receiver | undefined;
let endpointStatus = 400;

beforeAll(async () => {
  api = await serveApi();
  worker = await startWorker();
});

afterEach(() => receiver?.close());

afterAll(async () => {
  await worker.stop();
  await api.close();
});

/** The ways in which the account is broken, by the name that the client must find. */
const FAULTS: Record<string, (planted: Planted) => Promise<void>> = {
  async opted_out({ account, phone }) {
    await writeAs(account, phone, { to: account.line, text: "STOP" });
  },
  async blocked({ account, phone }) {
    const { status } = await callApi("POST /v3/blocked_handles", {
      token: account.token,
      body: { handle: phone },
    });
    expect(status).toBeLessThan(300);
  },
  async line_flagged({ account }) {
    await sql.runText({
      text: "update lines set status = 'FLAGGED' where account_id = $1",
      values: [account.ref.id],
    });
  },
  async daily_limit({ account, phone }) {
    await updateAccountOptions(account.context(), { body: { daily_messages: 1 } });
    await writeAs(account, phone, { to: account.line, text: "the only message of the day" });
  },
  async failing_webhook({ account, phone }) {
    endpointStatus = 400;
    receiver = await startReceiver((response) => response.writeHead(endpointStatus).end());
    const { url } = receiver;
    const body = { target_url: url, subscribed_events: ["message.received"] };
    expect((await callApi("POST /v3/webhook-subscriptions", { token: account.token, body })).status).toBe(
      201,
    );
    await writeAs(account, phone, { to: account.line, text: "are you there?" });
    const failed = `select 1 from webhook_deliveries where account_id = $1 and status = 'failed'`;
    await expect.poll(() => sql.runText({ text: failed, values: [account.ref.id] })).toHaveLength(1);
  },
};

type Tool = Awaited<ReturnType<Mcp["tools"]>>[number];

interface Finding {
  fault: string | null;
  replayed: number;
}

/** Every value below an object, with the name of its field. */
function fieldsOf(value: unknown, name = ""): [string, unknown][] {
  if (Array.isArray(value)) return value.flatMap((item) => fieldsOf(item, name));
  if (typeof value !== "object" || value === null) return [[name, value]];
  return [[name, value], ...Object.entries(value).flatMap(([key, field]) => fieldsOf(field, key))];
}

/** The arguments of a tool that are IDs which the client has seen in earlier results; null when it needs others. */
function argumentsFor(
  { inputSchema }: Tool,
  seen: ReadonlyMap<string, string>,
): Record<string, string> | null {
  const known = Object.keys(inputSchema.properties ?? {}).filter((name) => seen.has(name));
  if ((inputSchema.required ?? []).some((name) => !known.includes(name))) return null;
  return Object.fromEntries(known.slice(0, 1).map((name) => [name, seen.get(name) ?? ""]));
}

/**
 * A client that knows no tool by name. Calls every tool that only reads, feeds the IDs in their results to the tools
 * whose schema takes them, and reads the results: a blocker has a `reason`, and a delivery that failed an `explanation`.
 * Repeats a failed delivery with the tool that describes that it delivers again.
 */
async function diagnose(mcp: Mcp): Promise<Finding> {
  const tools = await mcp.tools();
  const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint === true);
  const seen = new Map<string, string>();
  const read = async (tool: Tool) => {
    const input = argumentsFor(tool, seen);
    if (input === null) return [];
    const { value, isError } = await mcp.call(tool.name, input);
    return isError ? [] : fieldsOf(value);
  };
  const failing: unknown[] = [];
  const reasons: string[] = [];
  // The second round has the IDs of the first.
  for (const tool of [...reading, ...reading]) {
    for (const [name, value] of await read(tool)) {
      if (name.endsWith("_id") && typeof value === "string" && !seen.has(name)) seen.set(name, value);
      if (name === "failing_deliveries") failing.push(value);
      if (name === "reason" && typeof value === "string") reasons.push(value);
    }
  }
  const [delivery] = failing.filter((value) => fieldsOf(value).some(([name]) => name === "explanation"));
  if (delivery === undefined) return { fault: reasons[0] ?? null, replayed: 0 };

  const replay = tools.find(
    ({ description, annotations }) =>
      annotations?.readOnlyHint !== true &&
      /delivers events to a webhook endpoint again/i.test(description ?? ""),
  );
  expect(Object.keys(replay?.inputSchema.properties ?? {})).toContain("subscription_id");
  endpointStatus = 200;
  const { value } = await mcp.call(replay?.name ?? "", { subscription_id: seen.get("subscription_id") });
  return { fault: "failing_webhook", replayed: value.total };
}

async function plant(name: string | null): Promise<TestAccount> {
  const account = await createTestAccount({ type: "sandbox" });
  const phone = await createTestPhone(account);
  await writeAs(account, phone, { to: account.line, text: "hello" });
  if (name !== null) await FAULTS[name]?.({ account, phone });
  return account;
}

const names = Object.keys(FAULTS);

async function expectFound(name: string): Promise<void> {
  const mcp = await connectMcp(api.baseUrl, (await plant(name)).token);
  const { fault, replayed } = await diagnose(mcp);
  await mcp.close();

  expect(fault).toBe(name);
  expect(replayed).toBe(name === "failing_webhook" ? 1 : 0);
  if (name === "failing_webhook") {
    await expect.poll(() => receiver?.received.at(-1)?.headers["x-webhook-replay"]).toBe("true");
  }
}

test.each(names)("a client that reads tools and schemas finds %s", expectFound);

test("one of the faults is planted at random, and the client names it", () =>
  expectFound(names[randomInt(names.length)] ?? ""));

test("in an account without a fault, the client finds none", async () => {
  const mcp = await connectMcp(api.baseUrl, (await plant(null)).token);
  expect(await diagnose(mcp)).toEqual({ fault: null, replayed: 0 });
  await mcp.close();
});
