import "@/lib/testing/use-test-database";
import { randomInt } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { updateAccountOptions } from "@/lib/identity/accounts/update-account-options";
import { sql } from "@/lib/platform/db";
import { startWorker, type Worker } from "@/lib/runtime/worker/start-worker";
import { callApi } from "@/lib/testing/call-api";
import { connectMcp } from "@/lib/testing/connect-mcp";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createTestPhone, writeAs } from "@/lib/testing/factories";
import { serveApi } from "@/lib/testing/serve-api";
import { type Receiver, startReceiver } from "@/lib/testing/start-receiver";

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
    await sql.query({
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
    await expect.poll(() => sql.query({ text: failed, values: [account.ref.id] })).toHaveLength(1);
  },
};

/** The tools of a server that have a parameter, by name. Fails if the server has no such tool. */
async function parametersOf({ tools }: Mcp, name: string): Promise<string[]> {
  const tool = (await tools()).find((each) => each.name === name);
  expect(tool).toBeDefined();
  return Object.keys(tool?.inputSchema.properties ?? {});
}

/** A client that knows only the tools: names what is wrong with an account and replays a failed webhook. */
async function diagnose(mcp: Mcp): Promise<{ fault: string | null; replayed: number }> {
  const { value: webhooks } = await mcp.call("list_failing_deliveries");
  for (const { subscription_id, failing_deliveries } of webhooks.endpoints) {
    if (failing_deliveries.length === 0) continue;
    expect(failing_deliveries[0].explanation).toEqual(expect.any(String));
    expect(await parametersOf(mcp, "replay_deliveries")).toContain("subscription_id");
    endpointStatus = 200;
    const { value: replay } = await mcp.call("replay_deliveries", { subscription_id });
    return { fault: "failing_webhook", replayed: replay.total };
  }
  expect(await parametersOf(mcp, "why_cant_i_message")).toContain("chat_id");
  const { value: found } = await mcp.call("find_chats");
  for (const { chat_id } of found.chats) {
    const { value } = await mcp.call("why_cant_i_message", { chat_id });
    const [blocker] = value.chats[0].blockers;
    if (blocker !== undefined) return { fault: blocker.reason, replayed: 0 };
  }
  return { fault: null, replayed: 0 };
}

async function plant(name: string | null): Promise<TestAccount> {
  const account = await createTestAccount({ type: "sandbox" });
  const phone = await createTestPhone(account);
  await writeAs(account, phone, { to: account.line, text: "hello" });
  if (name !== null) await FAULTS[name]?.({ account, phone });
  return account;
}

const names = Object.keys(FAULTS);

// In a random order, so that no diagnosis depends on an earlier one.
test.each(names.sort(() => randomInt(2) - 0.5))("a client of the tools finds %s", async (name) => {
  const mcp = await connectMcp(api.baseUrl, (await plant(name)).token);
  const { fault, replayed } = await diagnose(mcp);
  await mcp.close();

  expect(fault).toBe(name);
  expect(replayed).toBe(name === "failing_webhook" ? 1 : 0);
  if (name === "failing_webhook") {
    await expect.poll(() => receiver?.received.at(-1)?.headers["x-webhook-replay"]).toBe("true");
  }
});

test("in an account without a fault, the client finds none", async () => {
  const mcp = await connectMcp(api.baseUrl, (await plant(null)).token);
  expect(await diagnose(mcp)).toEqual({ fault: null, replayed: 0 });
  await mcp.close();
});
