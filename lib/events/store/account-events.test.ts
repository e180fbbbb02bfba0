import type { EventData } from "@/lib/events/catalog/define-events";
import { TOKEN_EVENTS } from "@/lib/identity/tokens/token-events";
import { MESSAGE_EVENTS } from "@/lib/messaging/messages/message-events";
import { testEvent } from "@/lib/testing/events/test-event";
import "@/lib/testing/use-test-database";

import { describe, expect, expectTypeOf, test } from "vitest";
import { emitAccountEvent, requestChange, systemChange } from "@/lib/events/store/emit-account-event";
import { emitEvents } from "@/lib/events/store/emit-event";
import { createToken } from "@/lib/identity/tokens/create-token";
import { revokeToken } from "@/lib/identity/tokens/revoke-token";
import { sql, transaction } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import { accountEventBench } from "@/lib/testing/events/account-event-bench";

const bench = accountEventBench();
const { asAda, subscribe, pendingFor, newestPendingFor, ADA } = bench;

describe("who did it, and where", () => {
  test("a session is its member of the team, in the dashboard", async () => {
    const listener = await subscribe(["api_token.created"]);
    const ctx = asAda();
    const { api_token } = await createToken(ctx, { name: "CI" });

    const { type, data, trace_id, created_at } = await newestPendingFor(listener);
    expect(type).toBe("api_token.created");
    expect(trace_id).toBe(ctx.traceId);
    expect(created_at).toEqual(ctx.now);
    expect(data).toEqual({
      summary: "The API token “CI” was created by Ada.",
      occurred_at: ctx.now.toISOString(),
      actor: { type: "team_member", id: ADA.userId, name: "Ada", email: "ada@example.com" },
      origin: "dashboard",
      api_token: { id: api_token.id, token_prefix: api_token.prefix, name: "CI", expires_at: null },
    });
  });

  test("an API token is the API, and carries no identity", async () => {
    const listener = await subscribe(["webhook_subscription.created"]);
    await subscribe(["message.sent"]);
    expect((await newestPendingFor(listener)).data).toMatchObject({
      actor: { type: "api" },
      origin: "api",
      summary: expect.stringMatching(/ was created through the API\.$/),
    });
    expect((await newestPendingFor(listener)).data.actor).toEqual({ type: "api" });
  });

  test("the operator's command is the system, in the service", async () => {
    const listener = await subscribe(["api_token.created"]);
    await createToken(bench.account.context(), { name: "by hand" });
    expect((await newestPendingFor(listener)).data).toMatchObject({
      actor: { type: "system" },
      origin: "service",
      summary: "The API token “by hand” was created by the service.",
    });
  });
});

describe("delivery", () => {
  test("its deliveries are stored in the transaction of the change: a change that is rolled back emits no event", async () => {
    const listener = await subscribe(["api_token.deleted"]);
    const api_token = { id: newId(Date.now()), token_prefix: "tl_sandbox_ab12", expires_at: null };
    const undone = transaction(async (tx) => {
      await emitAccountEvent(tx, requestChange(asAda()), TOKEN_EVENTS["api_token.deleted"], { api_token });
      expect(await pendingIn(tx, listener)).toBe(1);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await pendingFor(listener)).toEqual([]);
  });

  test("a filter by line does not keep it back, one by type does", async () => {
    const filtered = await subscribe(["api_token.deleted"], { phone_numbers: [bench.account.line] });
    const other = await subscribe(["message.sent"]);
    const { api_token } = await createToken(asAda(), { name: "short-lived" });
    await revokeToken(asAda(), { params: { tokenId: api_token.id } });
    expect((await pendingFor(filtered)).map(({ type, data }) => [type, data.api_token.id])).toEqual([
      ["api_token.deleted", api_token.id],
    ]);
    expect(await pendingFor(other)).toEqual([]);
  });

  test("revoking a revoked token emits no event", async () => {
    const listener = await subscribe(["api_token.deleted"]);
    const { api_token } = await createToken(asAda(), { name: "once" });
    await revokeToken(asAda(), { params: { tokenId: api_token.id } });
    await revokeToken(asAda(), { params: { tokenId: api_token.id } });
    expect(await pendingFor(listener)).toHaveLength(1);
  });

  test("event data holds only objects of its type", () => {
    type Reported = EventData<(typeof TOKEN_EVENTS)["api_token.renamed"]>;
    expectTypeOf<Reported["change"]>().toEqualTypeOf<{ from: string | null; to: string | null }>();
    const recorded = systemChange([], new Date());
    const wrong = () =>
      // @ts-expect-error an environment is no token
      emitAccountEvent(sql, recorded, TOKEN_EVENTS["api_token.created"], { environment: {} });
    // @ts-expect-error not an account event
    const foreign = () => emitAccountEvent(sql, recorded, MESSAGE_EVENTS["message.sent"], {});
    expect([wrong, foreign]).toHaveLength(2);
  });
});

test("message.edited is delivered to subscriptions of 2026-02-03, and never to those of 2025-01-01", async () => {
  const current = await subscribe(["message.edited", "message.read"]);
  const old = await subscribe(["message.edited", "message.read"], {
    target_url: "https://hooks.example.com/old?version=2025-01-01",
  });
  const events = ["message.edited", "message.read"].map((type) => testEvent(bench.account.ref.id, { type }));
  await transaction((tx) => emitEvents(tx, events));
  const typesPendingFor = async (id: string) => {
    const rows = await sql.runText<{ type: string; sequence: string }>({
      text: `select e.type, d.sequence from webhook_deliveries d
             join events e on e.account_id = d.account_id and e.seq = d.event_seq
             where d.subscription_id = $1 order by e.seq`,
      values: [id],
    });
    return rows.map(({ type, sequence }) => [type, Number(sequence)]);
  };
  expect(await typesPendingFor(current)).toEqual([
    ["message.edited", 1],
    ["message.read", 2],
  ]);
  expect(await typesPendingFor(old)).toEqual([["message.read", 1]]);
});

async function pendingIn(tx: typeof sql, subscriptionId: string): Promise<number> {
  const [row] = await tx.runText<{ pending: number }>({
    text: "select count(*)::int as pending from webhook_deliveries where subscription_id = $1",
    values: [subscriptionId],
  });
  return row?.pending ?? 0;
}
