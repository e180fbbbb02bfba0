import "@/lib/testing/use-test-database";

import { beforeEach, expect, test } from "vitest";
import { sql } from "@/lib/platform/database/db";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { signInAs } from "@/lib/testing/sign-in/sign-in-as";
import { USER_COMMANDS } from "@/scripts/admin/user-commands";

let account: TestAccount;
let email: string;
let people = 0;

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
  email = `operator.${++people}@example.com`;
});

function admin(command: string, options: Record<string, unknown>): Promise<string> {
  return USER_COMMANDS[command]?.(options) ?? Promise.reject(new Error(`no command ${command}`));
}

const invite = (more: Record<string, unknown> = {}) =>
  admin("create-user", { partner: account.ref.partnerId, email, name: "Grace", ...more });

async function emailOf(userId: string): Promise<string> {
  const [user] = await sql.runText<{ email: string }>({
    text: "select email from users where id = $1",
    values: [userId],
  });
  return user?.email ?? "";
}

async function countSessions(userId: string): Promise<number> {
  return (await sql.runText({ text: "select id from sessions where user_id = $1", values: [userId] })).length;
}

test("create-user prints a password link and gives the role; an unknown role is refused", async () => {
  expect(await invite({ role: "support" })).toMatch(/\/welcome\/\S+/);
  const [member] = await sql.runText<{ role: string }>({
    text: "select m.role from memberships m join users u on u.id = m.user_id where u.email = $1",
    values: [email],
  });
  expect(member).toEqual({ role: "support" });
  await expect(invite({ role: "owner" })).rejects.toThrow();
});

test("create-user takes an address in any script, and stores its domain in ASCII", async () => {
  email = `jürgen.${++people}@müller.example`;
  expect(await invite()).toMatch(/\/welcome\/\S+/);
  const stored = email.replace("müller", "xn--mller-kva");
  expect(await sql.runText({ text: "select 1 from users where email = $1", values: [stored] })).toHaveLength(
    1,
  );
});

test("remove-user takes the partner away from the user", async () => {
  await invite({ role: "support" });
  expect(await admin("remove-user", { partner: account.ref.partnerId, email })).toContain(
    "no longer has access",
  );
  const members = await sql.runText({
    text: "select 1 from memberships m join users u on u.id = m.user_id where u.email = $1",
    values: [email],
  });
  expect(members).toEqual([]);
});

test("remove-user refuses the last admin of a partner", async () => {
  await invite({ role: "admin" });
  await expect(admin("remove-user", { partner: account.ref.partnerId, email })).rejects.toThrow("last admin");
});

test("end-sessions signs the user out and says of how many browsers", async () => {
  const user = await signInAs(account, "developer");
  expect(await countSessions(user.id)).toBe(1);
  expect(await admin("end-sessions", { email: await emailOf(user.id) })).toContain(
    "signed out of 1 browser.",
  );
  expect(await countSessions(user.id)).toBe(0);
});

test("reset-password ends the sessions and prints a link", async () => {
  const user = await signInAs(account, "developer");
  expect(await admin("reset-password", { email: await emailOf(user.id) })).toMatch(/\/welcome\/\S+/);
  expect(await countSessions(user.id)).toBe(0);
});

test("grant-operator and revoke-operator change the flag of the user", async () => {
  await invite();
  const isOperator = async () => {
    const [user] = await sql.runText<{ is_operator: boolean }>({
      text: "select is_operator from users where email = $1",
      values: [email],
    });
    return user?.is_operator;
  };
  await admin("grant-operator", { email });
  expect(await isOperator()).toBe(true);
  await admin("revoke-operator", { email });
  expect(await isOperator()).toBe(false);
});

test.each(["remove-user", "end-sessions", "reset-password", "grant-operator", "revoke-operator"])(
  "%s names an address that no user has",
  async (command) => {
    const unknown = { partner: account.ref.partnerId, email: "unknown@example.com" };
    await expect(admin(command, unknown)).rejects.toThrow("unknown@example.com");
  },
);

test("remove-passkeys removes those of a person who lost them, and ends the sessions", async () => {
  const user = await signInAs(account, "support");
  await sql.runText({
    text: `insert into user_passkeys (id, user_id, name, public_key, counter, transports, is_synced, created_at)
           values ($1, $2, 'Lost', '\\x00', 0, '{}', false, now())`,
    values: [`lost ${email}`, user.id],
  });

  const output = await admin("remove-passkeys", { email: await emailOf(user.id) });

  expect(output).toContain("1 passkey of");
  expect(
    await sql.runText({ text: "select 1 from user_passkeys where user_id = $1", values: [user.id] }),
  ).toEqual([]);
  expect(await countSessions(user.id)).toBe(0);
});

test("set-sign-in-rules turns the passkey rule on and off, and refuses an unknown partner and no rule", async () => {
  const { partnerId: partner } = account.ref;
  const rule = async () => {
    const text = "select admins_need_passkey from partners where id = $1";
    return (await sql.runText<{ admins_need_passkey: boolean }>({ text, values: [partner] }))[0]
      ?.admins_need_passkey;
  };

  await admin("set-sign-in-rules", { partner, "admins-need-passkey": "on" });
  expect(await rule()).toBe(true);
  await admin("set-sign-in-rules", { partner, "admins-need-passkey": "off" });
  expect(await rule()).toBe(false);

  await expect(admin("set-sign-in-rules", { partner })).rejects.toThrow("name a rule");
  const unknown = { partner: account.ref.id, "admins-need-passkey": "on" };
  await expect(admin("set-sign-in-rules", unknown)).rejects.toMatchObject({ errorName: "name_unknown" });
});
