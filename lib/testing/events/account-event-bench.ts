import { beforeAll, expect } from "vitest";
import { renderEvent } from "@/lib/events/catalog/render-event";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { updateWebhookSubscription } from "@/lib/webhooks/subscriptions/update-webhook-subscription";

interface PendingDelivery {
  id: string;
  type: string;
  trace_id: string;
  created_at: Date;
  details: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary fields
  data: any;
}

/** An account, its subscriptions and their pending deliveries, for tests of an account's events. */
export function accountEventBench() {
  const bench = {} as { account: TestAccount; made: number };
  bench.made = 0;
  const ADA = {
    userId: newId(Date.now()),
    name: "Ada",
    email: "ada@example.com",
    role: "admin",
    hasFreshProof: true,
  } as const;

  beforeAll(async () => {
    bench.account = await createTestAccount({ type: "sandbox" });
  });

  function asAda(): Context {
    return { ...bench.account.context(), actor: { type: "user", ...ADA } };
  }

  /** Creates a subscription to event types. `fields` as in the API. */
  async function subscribe(types: string[], fields: object = {}, to = bench.account): Promise<string> {
    const body = {
      target_url: `https://hooks.example.com/${++bench.made}`,
      subscribed_events: types,
      ...fields,
    };
    const answer = await callApi("POST /v3/webhook-subscriptions", { token: to.token, body });
    expect(answer.status).toBe(201);
    return answer.body.id;
  }

  /** The pending deliveries of a subscription as they would be posted, in order. */
  async function pendingFor(subscriptionId: string): Promise<PendingDelivery[]> {
    const rows = await sql.runText<Omit<PendingDelivery, "data">>({
      text: `select e.id, e.type, e.trace_id, e.created_at, e.data as details
           from webhook_deliveries d join events e on e.account_id = d.account_id and e.seq = d.event_seq
           where d.subscription_id = $1 order by e.seq`,
      values: [subscriptionId],
    });
    return rows.map((row) => {
      const { id, type, trace_id: traceId, created_at: createdAt, details } = row;
      const event = { id, type, traceId, createdAt, data: details };
      return { ...row, data: renderEvent(event, bench.account.ref.partnerId, "2026-02-03").data };
    });
  }

  async function newestPendingFor(subscriptionId: string): Promise<PendingDelivery> {
    const newest = (await pendingFor(subscriptionId)).at(-1);
    if (newest === undefined) throw new Error("no delivery is pending");
    return newest;
  }

  function change(
    ctx: Context,
    subscriptionId: string,
    body: Parameters<typeof updateWebhookSubscription>[1]["body"],
  ) {
    return updateWebhookSubscription(ctx, { params: { subscriptionId }, query: undefined, body });
  }

  return Object.assign(bench, { asAda, subscribe, pendingFor, newestPendingFor, change, ADA });
}
