import type { EventData } from "@/lib/events/define-events";
import { TOKEN_EVENTS } from "@/lib/identity/tokens/token-events";
import { MESSAGE_EVENTS } from "@/lib/messaging/messages/message-events";
import { testEvent } from "@/lib/testing/test-event";
import "@/lib/testing/use-test-database";

import { beforeAll, describe, expect, expectTypeOf, test } from "vitest";
import { changeOf, emitAccountEvent, systemChange } from "@/lib/events/emit-account-event";
import { emitEvents } from "@/lib/events/emit-event";
import { renderEvent } from "@/lib/events/render-event";
import { createAccount } from "@/lib/identity/accounts/create-account";
import { createPartner } from "@/lib/identity/accounts/create-partner";
import { createToken } from "@/lib/identity/tokens/create-token";
import { revokeToken } from "@/lib/identity/tokens/revoke-token";
import { createUser, type NewUser } from "@/lib/identity/users/create-user";
import { recordSignOut } from "@/lib/identity/users/record-sign-out";
import { setPassword } from "@/lib/identity/users/set-password";
import { signIn, signInVouchedFor } from "@/lib/identity/users/sign-in";
import { createLine } from "@/lib/lines/lines/create-line";
import { setLineStatus } from "@/lib/lines/lines/set-line-status";
import type { Context } from "@/lib/platform/context";
import { prisma, sql, transaction } from "@/lib/platform/db";
import { newId } from "@/lib/platform/ids";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { deleteWebhookSubscription } from "@/lib/webhooks/delete-webhook-subscription";
import { updateWebhookSubscription } from "@/lib/webhooks/update-webhook-subscription";

const ADA = {
  userId: newId(Date.now()),
  name: "Ada",
  email: "ada@example.com",
  role: "admin",
  hasFreshProof: true,
} as const;

let account: TestAccount;
let made = 0;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
});

function asAda(): Context {
  return { ...account.context(), actor: { type: "user", ...ADA } };
}

/** A subscription to types; `fields` as in the API. */
async function subscribe(types: string[], fields: object = {}, to = account): Promise<string> {
  const body = { target_url: `https://hooks.example.com/${++made}`, subscribed_events: types, ...fields };
  const answer = await callApi("POST /v3/webhook-subscriptions", { token: to.token, body });
  expect(answer.status).toBe(201);
  return answer.body.id;
}

interface PendingDelivery {
  id: string;
  type: string;
  trace_id: string;
  created_at: Date;
  details: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever is posted
  data: any;
}

/** The pending deliveries of a subscription, as they would be posted, in order. */
async function pendingFor(subscriptionId: string): Promise<PendingDelivery[]> {
  const rows = await sql.query<Omit<PendingDelivery, "data">>({
    text: `select e.id, e.type, e.trace_id, e.created_at, e.data as details
           from webhook_deliveries d join events e on e.account_id = d.account_id and e.seq = d.event_seq
           where d.subscription_id = $1 order by e.seq`,
    values: [subscriptionId],
  });
  return rows.map((row) => {
    const { id, type, trace_id: traceId, created_at: createdAt, details } = row;
    const event = { id, type, traceId, createdAt, data: details };
    return { ...row, data: renderEvent(event, account.ref.partnerId, "2026-02-03").data };
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
    await createToken(account.context(), { name: "by hand" });
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
      await emitAccountEvent(tx, changeOf(asAda()), TOKEN_EVENTS["api_token.deleted"], { api_token });
      expect(await pendingIn(tx, listener)).toBe(1);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await pendingFor(listener)).toEqual([]);
  });

  test("a filter by line does not keep it back, one by type does", async () => {
    const filtered = await subscribe(["api_token.deleted"], { phone_numbers: [account.line] });
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

describe("subscriptions", () => {
  const TYPES = [
    "webhook_subscription.created",
    "webhook_subscription.deleted",
    "webhook_subscription.target_url_changed",
    "webhook_subscription.enabled",
    "webhook_subscription.disabled",
    "webhook_subscription.events.updated",
    "webhook_subscription.phone_numbers.updated",
  ];

  test("a new subscription receives its own event, the only one that lists its subscribed events", async () => {
    const id = await subscribe(["webhook_subscription.created", "message.sent"]);
    expect((await newestPendingFor(id)).data.webhook_subscription).toEqual({
      id,
      target_url: `https://hooks.example.com/${made}`,
      events: ["webhook_subscription.created", "message.sent"],
    });
  });

  test("each changed property emits an event of its own; unchanged ones emit none", async () => {
    const listener = await subscribe(TYPES);
    const id = await subscribe(["message.sent", "message.read"]);
    const target_url = "https://hooks.example.com/moved";
    await change(asAda(), id, { target_url, subscribed_events: ["message.read", "message.sent"] });
    await change(asAda(), id, { target_url, subscribed_events: ["message.sent"] });
    await change(asAda(), id, { phone_numbers: [account.line], is_active: false });
    await change(asAda(), id, { phone_numbers: [], is_active: true });
    await change(asAda(), id, { is_active: true });

    const emitted = (await pendingFor(listener))
      .filter(({ data }) => data.webhook_subscription.id === id)
      .slice(1);
    expect(emitted.map(({ type, data }) => [type.replace("webhook_subscription.", ""), data.change])).toEqual(
      [
        ["target_url_changed", { from: `https://hooks.example.com/${made}`, to: target_url }],
        ["events.updated", { from: ["message.read", "message.sent"], to: ["message.sent"] }],
        ["phone_numbers.updated", { from: null, to: [account.line] }],
        ["disabled", undefined],
        ["phone_numbers.updated", { from: [account.line], to: null }],
        ["enabled", undefined],
      ],
    );
    for (const { data } of emitted) {
      expect(data).toMatchObject({ actor: { name: "Ada" }, webhook_subscription: { id, target_url } });
    }
  });

  test("events hold no query, credential, fragment or secret of a target", async () => {
    const listener = await subscribe(TYPES);
    const id = await subscribe(["message.sent"], {
      target_url: "https://hooks.example.com/q?key=hunter2#hunter3",
    });
    await change(asAda(), id, { target_url: "https://hooks.example.com/r?key=hunter4" });
    await deleteWebhookSubscription(asAda(), {
      params: { subscriptionId: id },
      query: undefined,
      body: undefined,
    });

    const emitted = (await pendingFor(listener)).filter(({ data }) => data.webhook_subscription.id === id);
    expect(emitted.map(({ type, data }) => [type, data.webhook_subscription.target_url])).toEqual([
      ["webhook_subscription.created", "https://hooks.example.com/q"],
      ["webhook_subscription.target_url_changed", "https://hooks.example.com/r"],
      ["webhook_subscription.deleted", "https://hooks.example.com/r"],
    ]);
    expect(JSON.stringify(emitted)).not.toMatch(/hunter|whsec_/);
  });

  test("two concurrent deletes emit one event; the second finds no subscription", async () => {
    const listener = await subscribe(TYPES);
    const id = await subscribe(["message.sent"]);
    const call = () => callApi(`DELETE /v3/webhook-subscriptions/${id}`, { token: account.token });
    const answers = await Promise.all([call(), call(), call()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404]);
    const emitted = (await pendingFor(listener)).filter(
      ({ type }) => type === "webhook_subscription.deleted",
    );
    expect(emitted).toHaveLength(1);
  });

  test("two concurrent changes emit events that form a chain", async () => {
    const listener = await subscribe(TYPES);
    const id = await subscribe(["message.sent"]);
    await Promise.all([
      change(asAda(), id, { subscribed_events: ["message.read"] }),
      change(asAda(), id, { subscribed_events: ["message.failed"] }),
    ]);
    const changes = (await pendingFor(listener))
      .filter(({ type, data }) => type.endsWith("events.updated") && data.webhook_subscription.id === id)
      .map(({ data }) => data.change);
    expect(changes[0].from).toEqual(["message.sent"]);
    expect(changes[1].from).toEqual(changes[0].to);
  });
});

describe("lines", () => {
  test("an assigned line is reported to subscriptions of all lines", async () => {
    const all = await subscribe(["phone_number.assigned"]);
    const others = await subscribe(["phone_number.assigned"], { phone_numbers: [account.line] });
    const line = { phoneNumber: "+15559990001", lineType: "RCS", transport: "simulator" } as const;
    const { id } = await createLine(account.ref, line);
    expect((await newestPendingFor(all)).data).toEqual({
      phone_number: "+15559990001",
      changed_at: expect.stringMatching(/Z$/),
    });
    expect(await pendingFor(others)).toEqual([]);
    const event = await prisma().event.findFirst({ where: { accountId: account.ref.id, lineId: id } });
    expect(event?.type).toBe("phone_number.assigned");
  });

  test("a flagged line emits one event, is audited, and clears again", async () => {
    const listener = await subscribe(["phone_number.status_updated"], { phone_numbers: [account.line] });
    const line = await prisma().line.findUniqueOrThrow({ where: { phoneNumber: account.line } });
    const ctx = asAda();
    await setLineStatus(ctx, line.id, "FLAGGED");
    await setLineStatus(ctx, line.id, "FLAGGED");
    await setLineStatus(ctx, line.id, "ACTIVE");

    const emitted = await pendingFor(listener);
    expect(emitted.map(({ data }) => [data.previous_status, data.new_status])).toEqual([
      ["ACTIVE", "FLAGGED"],
      ["FLAGGED", "ACTIVE"],
    ]);
    expect(emitted[0]?.data).toEqual({
      phone_number: account.line,
      previous_status: "ACTIVE",
      new_status: "FLAGGED",
      previous_reputation: "HEALTHY",
      new_reputation: "HEALTHY",
      previous_health_status: "HEALTHY",
      new_health_status: "HEALTHY",
      changed_at: ctx.now.toISOString(),
    });
    const audits = await prisma().auditEntry.findMany({
      where: { objectId: line.id },
      orderBy: { id: "asc" },
    });
    expect(audits.slice(-2).map(({ action, actorId, detail }) => [action, actorId, detail])).toEqual([
      ["line.status_changed", ADA.userId, { from: "ACTIVE", to: "FLAGGED", by: "operator" }],
      ["line.status_changed", ADA.userId, { from: "FLAGGED", to: "ACTIVE", by: "operator" }],
    ]);
  });

  test("another account's line cannot be flagged", async () => {
    const other = await createTestAccount({ type: "sandbox" });
    const line = await prisma().line.findUniqueOrThrow({ where: { phoneNumber: other.line } });
    await expect(setLineStatus(asAda(), line.id, "FLAGGED")).rejects.toThrow("no line");
  });
});

test("message.edited is delivered to subscriptions of 2026-02-03, and never to those of 2025-01-01", async () => {
  const current = await subscribe(["message.edited", "message.read"]);
  const old = await subscribe(["message.edited", "message.read"], {
    target_url: "https://hooks.example.com/old?version=2025-01-01",
  });
  const events = ["message.edited", "message.read"].map((type) => testEvent(account.ref.id, { type }));
  await transaction((tx) => emitEvents(tx, events));
  const typesPendingFor = async (id: string) => {
    const rows = await sql.query<{ type: string; sequence: string }>({
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

describe("what is the whole partner's", () => {
  /** A second environment of the account's partner, with a token to subscribe with. */
  async function siblingOf({ ref }: TestAccount): Promise<TestAccount> {
    const sibling = await createAccount(ref.partnerId, `Staging ${++made}`, "production");
    const context = (): Context => ({ ...account.context(), account: sibling });
    const { token } = await createToken(context(), { name: "test" });
    return { ...account, ref: sibling, token, context };
  }

  function newUser(more: Partial<NewUser> = {}): NewUser {
    const email = `user-${++made}@example.com`;
    return { partnerId: account.ref.partnerId, email, name: "Grace", role: "developer", ...more };
  }

  test("a new environment is reported to the others, under one event id", async () => {
    const sibling = await siblingOf(account);
    const [here, there] = [
      await subscribe(["environment.created"]),
      await subscribe(["environment.created"], {}, sibling),
    ];
    await createAccount(account.ref.partnerId, "Preview", "sandbox");
    const [first, second] = [await newestPendingFor(here), await newestPendingFor(there)];
    expect(first.data).toMatchObject({
      summary: "The environment “Preview” was created by the service.",
      environment: { name: "Preview", type: "environment" },
      actor: { type: "system" },
      origin: "service",
    });
    expect(second).toEqual(first);
  });

  test.each([
    ["admin", "admin"],
    ["developer", "manager"],
    ["support", "member"],
    ["viewer", "member"],
  ] as const)(
    "a new %s is added as %s, to every environment of the partner and to no other",
    async (role, shown) => {
      const sibling = await siblingOf(account);
      const stranger = await createTestAccount({ type: "production" });
      const listeners = [
        await subscribe(["team_member.added"]),
        await subscribe(["team_member.added"], {}, sibling),
      ];
      const elsewhere = await subscribe(["team_member.added"], {}, stranger);
      const { userId } = await createUser(newUser({ role }));
      for (const listener of listeners) {
        expect((await newestPendingFor(listener)).data.team_member).toEqual({
          id: userId,
          name: "Grace",
          role: shown,
        });
      }
      expect(await pendingFor(elsewhere)).toEqual([]);
    },
  );

  test("one who was in the team already is not added again", async () => {
    const listener = await subscribe(["team_member.added"]);
    const user = newUser();
    await createUser(user);
    await createUser({ ...user, role: "admin" });
    expect(await pendingFor(listener)).toHaveLength(1);
  });

  test("signing in and out is reported to the environments of all the user's partners, with the method", async () => {
    const stranger = await createTestAccount({ type: "production" });
    const types = ["team_member.signed_in", "team_member.signed_out"];
    const [here, there] = [await subscribe(types), await subscribe(types, {}, stranger)];
    const user = newUser();
    const { userId } = await createUser(user);
    await createUser({ ...user, partnerId: stranger.ref.partnerId, role: "viewer" });
    await transaction((tx) => setPassword(tx, userId, "correct horse battery staple"));

    expect((await signIn(user.email, "a wrong password")).outcome).toBe("refused");
    expect((await signIn(user.email, "correct horse battery staple")).outcome).toBe("signed_in");
    expect(await signInVouchedFor(user.email)).not.toBeNull();
    const session = await prisma().session.findFirstOrThrow({ where: { userId } });
    await recordSignOut(session.id, { id: userId, name: "Grace", email: user.email });

    const actor = { type: "team_member", id: userId, name: "Grace", email: user.email };
    const team_member = { id: userId, name: "Grace" };
    const emitted = await pendingFor(here);
    expect(emitted.map(({ type, data }) => [type, data.method])).toEqual([
      ["team_member.signed_in", "code"],
      ["team_member.signed_in", "sso"],
      ["team_member.signed_out", undefined],
    ]);
    for (const { data } of emitted) expect(data).toMatchObject({ actor, team_member, origin: "dashboard" });
    expect(await pendingFor(there)).toEqual(emitted);
    const audits = await prisma().auditEntry.findMany({
      where: { objectId: userId, traceId: emitted[2]?.trace_id },
    });
    expect(audits.map(({ action }) => action)).toEqual(["user.signed_out", "user.signed_out"]);
  });

  test("many who sign in at once do not wait for each other in a circle", async () => {
    const [one, two] = [await createPartner(`P ${++made}`), await createPartner(`P ${++made}`)];
    const accounts = await Promise.all(
      [one, two].flatMap((partner) => [
        createAccount(partner.id, "a", "sandbox"),
        createAccount(partner.id, "b", "sandbox"),
      ]),
    );
    for (const ref of accounts) {
      const { token } = await createToken({ ...account.context(), account: ref }, { name: "test" });
      await subscribe(["team_member.signed_in"], {}, { ...account, token });
    }
    const users = await Promise.all(
      Array.from({ length: 6 }, async (_, index) => {
        const user = newUser({ partnerId: (index % 2 === 0 ? one : two).id });
        await createUser(user);
        await createUser({ ...user, partnerId: (index % 2 === 0 ? two : one).id });
        return user;
      }),
    );
    const signedIn = await Promise.all(users.map(({ email }) => signInVouchedFor(email)));
    expect(signedIn.every((user) => user !== null)).toBe(true);
  });
});

async function pendingIn(tx: typeof sql, subscriptionId: string): Promise<number> {
  const [row] = await tx.query<{ pending: number }>({
    text: "select count(*)::int as pending from webhook_deliveries where subscription_id = $1",
    values: [subscriptionId],
  });
  return row?.pending ?? 0;
}
