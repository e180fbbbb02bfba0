import "@/lib/testing/use-test-database";

import { describe, expect, test } from "vitest";
import { createAccount } from "@/lib/identity/accounts/create-account";
import { createPartner } from "@/lib/identity/accounts/create-partner";
import { setPassword } from "@/lib/identity/passwords/set-password";
import { createUser, type NewUser } from "@/lib/identity/people/create-user";
import { recordSignOut } from "@/lib/identity/sessions/record-sign-out";
import { hashPassword } from "@/lib/identity/sign-in/hash-password";
import { signIn } from "@/lib/identity/sign-in/sign-in";
import { createToken } from "@/lib/identity/tokens/create-token";
import type { Context } from "@/lib/platform/context";
import { prisma, transaction } from "@/lib/platform/database/db";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { accountEventBench } from "@/lib/testing/events/account-event-bench";
import { signOnAs } from "@/lib/testing/sign-in/sign-on-as";

const bench = accountEventBench();
const { subscribe, pendingFor, newestPendingFor } = bench;

describe("what is the whole partner's", () => {
  /** Creates a second environment of the account's partner, with a token for subscriptions. */
  async function siblingOf({ ref }: TestAccount): Promise<TestAccount> {
    const sibling = await createAccount(ref.partnerId, `Staging ${++bench.made}`, "production");
    const context = (): Context => ({ ...bench.account.context(), account: sibling });
    const { token } = await createToken(context(), { name: "test" });
    return { ...bench.account, ref: sibling, token, context };
  }

  function newUser(more: Partial<NewUser> = {}): NewUser {
    const email = `user-${++bench.made}@example.com`;
    return { partnerId: bench.account.ref.partnerId, email, name: "Grace", role: "developer", ...more };
  }

  test("a new environment is reported to the others, under one event id", async () => {
    const sibling = await siblingOf(bench.account);
    const [here, there] = [
      await subscribe(["environment.created"]),
      await subscribe(["environment.created"], {}, sibling),
    ];
    await createAccount(bench.account.ref.partnerId, "Preview", "sandbox");
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
      const sibling = await siblingOf(bench.account);
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
    await transaction(async (tx) =>
      setPassword(tx, userId, await hashPassword("correct horse battery staple")),
    );

    expect((await signIn(user.email, "a wrong password")).outcome).toBe("refused");
    const signedIn = await signIn(user.email, "correct horse battery staple");
    const session = signedIn.outcome === "signed_in" ? signedIn.user.sessionToken : null;
    expect(await signOnAs(user.email, {}, { session })).toMatchObject({ outcome: "signed_in" });
    const { id: sessionId } = await prisma().session.findFirstOrThrow({ where: { userId } });
    await recordSignOut(sessionId, { id: userId, name: "Grace", email: user.email });

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
    const [one, two] = [await createPartner(`P ${++bench.made}`), await createPartner(`P ${++bench.made}`)];
    const accounts = await Promise.all(
      [one, two].flatMap((partner) => [
        createAccount(partner.id, "a", "sandbox"),
        createAccount(partner.id, "b", "sandbox"),
      ]),
    );
    for (const ref of accounts) {
      const { token } = await createToken({ ...bench.account.context(), account: ref }, { name: "test" });
      await subscribe(["team_member.signed_in"], {}, { ...bench.account, token });
    }
    const users = await Promise.all(
      Array.from({ length: 6 }, async (_, index) => {
        const user = newUser({ partnerId: (index % 2 === 0 ? one : two).id });
        await createUser(user);
        await createUser({ ...user, partnerId: (index % 2 === 0 ? two : one).id });
        return user;
      }),
    );
    const signedIn = await Promise.all(users.map(({ email }) => signOnAs(email)));
    expect(signedIn.every(({ outcome }) => outcome === "signed_in")).toBe(true);
  });
});
