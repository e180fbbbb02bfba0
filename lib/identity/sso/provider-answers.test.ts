import "@/lib/testing/use-test-database";
import { expect, test } from "vitest";
import * as logoutRoute from "@/app/api/backchannel-logout/route";
import * as groups from "@/app/api/people/groups/route";
import { createUser } from "@/lib/identity/people/create-user";
import { unlinkIdentities } from "@/lib/identity/sso/user-identity";
import { prisma, transaction } from "@/lib/platform/database/db";
import type { ProviderAnswer } from "@/lib/testing/sign-in/oidc-provider";
import {
  account,
  email,
  groupOf,
  mapGroup,
  provider,
  recheckNow,
  signOn,
  singleSignOnBench,
} from "@/lib/testing/sign-in/single-sign-on-bench";

singleSignOnBench({ logout: logoutRoute.POST, setGroup: groups.PUT });

test.each<[string, Record<string, unknown>]>([
  [
    "the provider keeps elsewhere",
    { groups: undefined, _claim_names: { groups: "src1" }, _claim_sources: {} },
  ],
  ["the provider only says to exist", { groups: undefined, hasgroups: true }],
  ["have another shape", { groups: [{ id: "1" }] }],
])("memberships and sessions stay when the groups of a person %s", async (_, overage) => {
  await mapGroup(groupOf("admins"), "admin");
  const { user } = await signOn("overage", [groupOf("admins")]);
  const userId = (await user())?.user.id ?? "";
  const shape = { email, name: "Ada", ...overage } as unknown as {
    email: string;
    name: string;
    groups: string[];
  };

  provider.people.set("overage", shape);
  await recheckNow();
  expect((await user())?.account?.role).toBe("admin");
  const again = await signOn("overage", shape.groups, overage);

  expect(again.path).toBe("/");
  expect(await prisma().membership.count({ where: { userId } })).toBe(1);
  await transaction((tx) => unlinkIdentities(tx, userId));
});

interface PartOfBody {
  id_token?: string;
  access_token?: string;
  groups?: unknown;
}

/** Removes the ID token from answers of the token endpoint, and changes those of the user information. */
function withoutIdToken(change: (answer: ProviderAnswer & { body: PartOfBody }) => unknown) {
  provider.edit((answer) => {
    const body = { ...(answer.body as object) } as PartOfBody;
    answer.body = body;
    if (answer.endpoint === "token") delete body.id_token;
    if (answer.endpoint === "userinfo") change(answer as ProviderAnswer & { body: PartOfBody });
  });
}

test.each<[string, (answer: ProviderAnswer & { body: PartOfBody }) => unknown]>([
  ["names no groups", ({ body }) => delete body.groups],
  ["names null as the groups", ({ body }) => Object.assign(body, { groups: null })],
  ["keeps the groups elsewhere", ({ body }) => Object.assign(body, { groups: undefined, hasgroups: "true" })],
  ["names groups of another shape", ({ body }) => Object.assign(body, { groups: { id: 1 } })],
  ["is about another person", ({ body }) => Object.assign(body, { sub: "another", groups: [] })],
  ["answers null", (answer) => Object.assign(answer, { body: "null" })],
  ["answers with a page", (answer) => Object.assign(answer, { body: "<!doctype html><p>Maintenance</p>" })],
  [
    "answers 401 with an error",
    (answer) => Object.assign(answer, { status: 401, body: { error: "invalid_token" } }),
  ],
  ["answers 403 with a page", (answer) => Object.assign(answer, { status: 403, body: "<p>Forbidden</p>" })],
  ["answers 429", (answer) => Object.assign(answer, { status: 429, body: "" })],
  ["answers 503", (answer) => Object.assign(answer, { status: 503, body: "" })],
])("a refresh without an ID token changes nothing when the user information %s", async (_, change) => {
  await mapGroup(groupOf("admins"), "admin");
  const { user } = await signOn("kept", [groupOf("admins")]);
  const userId = (await user())?.user.id ?? "";

  withoutIdToken(change);
  await recheckNow();
  expect((await user())?.account?.role).toBe("admin");
  // The provider has rotated the refresh token.
  provider.edit(null);
  await recheckNow();

  expect((await user())?.account?.role).toBe("admin");
  await transaction((tx) => unlinkIdentities(tx, userId));
});

test.each<[string, unknown, string | undefined]>([
  ["an empty list", () => [], undefined],
  ["another group", () => ["unmapped"], undefined],
  ["the group as a text", () => groupOf("admins"), "admin"],
])("a refresh without an ID token applies groups of the user information: %s", async (_, groups, role) => {
  await mapGroup(groupOf("admins"), "admin");
  const { user } = await signOn("applied", [groupOf("admins")]);
  const userId = (await user())?.user.id ?? "";

  withoutIdToken(({ body }) => Object.assign(body, { groups: (groups as () => unknown)() }));
  await recheckNow();

  expect((await user())?.account?.role).toBe(role);
  expect(await prisma().membership.count({ where: { userId } })).toBe(role === undefined ? 0 : 1);
  await transaction((tx) => unlinkIdentities(tx, userId));
});

test("a refresh with an ID token ends the role of a person whose claim is in neither answer", async () => {
  await mapGroup(groupOf("admins"), "admin");
  const { user } = await signOn("last", [groupOf("admins")]);
  const userId = (await user())?.user.id ?? "";

  provider.edit(({ endpoint, body }) => endpoint === "userinfo" && delete (body as PartOfBody).groups);
  await recheckNow();

  expect(await user()).toBeNull();
  expect(await prisma().membership.count({ where: { userId } })).toBe(0);
});

test.each<[string, (answer: ProviderAnswer & { body: PartOfBody }) => unknown]>([
  [
    "the user information is refused",
    (answer) => answer.endpoint === "userinfo" && Object.assign(answer, { status: 403, body: "" }),
  ],
  ["there is no access token", ({ endpoint, body }) => endpoint === "token" && delete body.access_token],
])("a refresh with an ID token without the claim changes nothing when %s", async (_, change) => {
  await mapGroup(groupOf("admins"), "admin");
  const { user } = await signOn("partial", [groupOf("admins")]);
  const userId = (await user())?.user.id ?? "";

  provider.edit((answer) => {
    answer.body = typeof answer.body === "object" ? { ...answer.body } : answer.body;
    change(answer as ProviderAnswer & { body: PartOfBody });
  });
  await recheckNow();

  expect((await user())?.account?.role).toBe("admin");
  await transaction((tx) => unlinkIdentities(tx, userId));
});

test("a session stays after a refresh whose ID token can't be verified, because the rotated token is kept", async () => {
  await mapGroup(groupOf("agents"), "support");
  const { user } = await signOn("unverified", [groupOf("agents")]);

  provider.edit(({ endpoint, body }) => {
    const part = body as PartOfBody;
    if (endpoint === "token") part.id_token = part.id_token?.replace(/[^.]+$/, "AAAA");
  });
  await recheckNow();
  expect((await user())?.account?.role).toBe("support");
  provider.edit(null);
  await recheckNow();

  expect((await user())?.account?.role).toBe("support");
});

test.each<[string, number, unknown, boolean]>([
  ["that the token is revoked", 400, { error: "invalid_grant" }, false],
  ["that the person must sign in again", 400, { error: "interaction_required" }, false],
  ["that the client's secret is another one", 401, { error: "invalid_client" }, true],
  ["that there are too many requests", 429, "", true],
  ["a page of its firewall", 403, "<p>Forbidden</p>", true],
  ["that it is unavailable", 400, { error: "temporarily_unavailable" }, true],
  ["200 without tokens", 200, {}, true],
])(
  "when the provider answers %s to a refresh, a session ends only for the person's own reason",
  async (_, status, body, stays) => {
    await createUser({ partnerId: account.ref.partnerId, email, name: "Ada", role: "viewer" });
    const { user } = await signOn("refreshed");
    const userId = (await user())?.user.id ?? "";

    provider.edit((answer) => answer.endpoint === "token" && Object.assign(answer, { status, body }));
    await recheckNow();

    expect((await user()) !== null).toBe(stays);
    await transaction((tx) => unlinkIdentities(tx, userId));
  },
);

test("a sign-on without the claim is a sign-on without groups, because a browser can leave a scope out", async () => {
  await mapGroup(groupOf("admins"), "admin");
  const { user } = await signOn("unscoped", [groupOf("admins")]);
  const userId = (await user())?.user.id ?? "";

  provider.edit(({ endpoint, body }) => endpoint === "userinfo" && delete (body as PartOfBody).groups);
  await signOn("unscoped", [groupOf("admins")]);

  expect(await prisma().membership.count({ where: { userId } })).toBe(0);
});

test("one group that comes as a text is a group", async () => {
  await mapGroup(groupOf("agents"), "support");
  const { user } = await signOn("single", groupOf("agents") as unknown as string[]);

  expect((await user())?.account?.role).toBe("support");
});
