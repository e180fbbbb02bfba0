import "@/lib/testing/use-test-database";
import { expect, test } from "vitest";
import * as logoutRoute from "@/app/api/backchannel-logout/route";
import * as passwordReset from "@/app/api/people/[userId]/password-reset/route";
import * as person from "@/app/api/people/[userId]/route";
import * as groups from "@/app/api/people/groups/route";
import * as people from "@/app/api/people/route";
import { setPasswordByLink } from "@/lib/identity/passwords/set-password";
import {
  acceptSignedIn,
  acceptWithPassword,
  listOwnInvitations,
} from "@/lib/identity/people/accept-invitation";
import { createUser } from "@/lib/identity/people/create-user";
import { signIn } from "@/lib/identity/sign-in/sign-in";
import { prisma } from "@/lib/platform/database/db";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { signInAs } from "@/lib/testing/sign-in/sign-in-as";
import {
  account,
  admin,
  email,
  groupOf,
  mapGroup,
  PASSWORD,
  signOn,
  singleSignOnBench,
} from "@/lib/testing/sign-in/single-sign-on-bench";

singleSignOnBench({ logout: logoutRoute.POST, setGroup: groups.PUT });

test("an invited person without an account signs in, accepts, and until then belongs to no partner", async () => {
  const body = { email, name: "Typed", role: "developer" };
  const invited = await admin.call(people.POST, { method: "POST", body });
  const { user, path } = await signOn("invited-by-page");
  expect(path).toBe("/");
  const session = await user();
  expect(session?.account).toBeNull();
  expect(session && (await listOwnInvitations(session))).toMatchObject([{ id: invited.body.id }]);

  if (session) await acceptSignedIn(session, invited.body.id);

  expect((await user())?.account?.role).toBe("developer");
});

test("the owner of a pre-hijacked address starts from nothing with single sign-on", async () => {
  const invite = () =>
    admin.call(people.POST, { method: "POST", body: { email, name: "Typed", role: "viewer" } });
  const { body } = await invite();
  expect(await acceptWithPassword(body.link.url.split("/").at(-1), "the intruder's password")).toBe(email);
  await admin.call(person.DELETE, { method: "DELETE", params: { userId: body.id } });
  await mapGroup(groupOf("agents"), "admin");

  const { user } = await signOn("owner", [groupOf("agents")]);

  expect((await user())?.account?.role).toBe("admin");
  expect(await signIn(email, "the intruder's password")).toEqual({ outcome: "refused" });
});

test("a password that an admin could set ends when single sign-on adds another partner", async () => {
  const other = await createTestAccount({ type: "sandbox" });
  const otherAdmin = await signInAs(other, "admin");
  await createUser({ partnerId: account.ref.partnerId, email, name: "Ada", role: "viewer" });
  const first = await signOn("two-partners");
  const userId = (await first.user())?.user.id ?? "";
  const params = { userId };
  const reset = await admin.call(passwordReset.POST, { method: "POST", params });
  expect(await setPasswordByLink(reset.body.link.url.split("/").at(-1), "the admin's password")).toBe(email);
  await mapGroup(groupOf("agents"), "admin", otherAdmin);

  await signOn("two-partners", [groupOf("agents")]);

  expect(await prisma().membership.count({ where: { userId } })).toBe(2);
  expect(await signIn(email, "the admin's password")).toEqual({ outcome: "refused" });
});

test("a password that an admin could set after the first sign-on ends with the next, and opens no other partner", async () => {
  const other = await createTestAccount({ type: "sandbox" });
  const otherAdmin = await signInAs(other, "admin");
  await createUser({ partnerId: account.ref.partnerId, email, name: "Ada", role: "viewer" });
  const userId = (await (await signOn("reset-later")).user())?.user.id ?? "";
  const reset = await admin.call(passwordReset.POST, { method: "POST", params: { userId } });
  expect(await setPasswordByLink(reset.body.link.url.split("/").at(-1), "the admin's password")).toBe(email);
  const body = { email, name: "Typed", role: "admin" };
  const invited = await otherAdmin.call(people.POST, { method: "POST", body });

  const session = await (await signOn("reset-later")).user();
  if (session) await acceptSignedIn(session, invited.body.id);

  expect(await prisma().membership.count({ where: { userId } })).toBe(2);
  expect(await signIn(email, "the admin's password")).toEqual({ outcome: "refused" });
});

test("a sign-on with another role opens the partner at once, also of a person of two partners", async () => {
  const other = await createTestAccount({ type: "sandbox" });
  await mapGroup(groupOf("agents"), "support");
  await mapGroup(groupOf("admins"), "admin");
  const first = await signOn("promoted", [groupOf("agents")]);
  await createUser({ partnerId: other.ref.partnerId, email, name: "Ada", role: "viewer" });

  const { user } = await signOn("promoted", [groupOf("admins")]);

  expect((await user())?.account).toMatchObject({ role: "admin", lacks: null });
  expect((await first.user())?.account).toMatchObject({ role: "admin", lacks: "sign_in" });
});

test("a person who was removed starts from nothing with single sign-on, and keeps that session", async () => {
  const other = await createTestAccount({ type: "sandbox" });
  const otherAdmin = await signInAs(other, "admin");
  const { link, userId } = await createUser({
    partnerId: account.ref.partnerId,
    email,
    name: "Ada",
    role: "viewer",
  });
  await setPasswordByLink(link?.token ?? "", PASSWORD);
  await signOn("removed");
  await admin.call(person.DELETE, { method: "DELETE", params: { userId } });
  const body = { email, name: "Typed", role: "viewer" };
  const invited = await otherAdmin.call(people.POST, { method: "POST", body });
  const { user } = await signOn("removed");
  const session = await user();

  if (session) await acceptSignedIn(session, invited.body.id);

  expect((await user())?.accounts.map(({ id }) => id)).toEqual([other.ref.id]);
  expect(await signIn(email, PASSWORD)).toEqual({ outcome: "refused" });
});
