import "@/lib/testing/use-test-database";
import { beforeEach, describe, expect, test } from "vitest";
import { findAccountOptions } from "@/lib/identity/accounts/find-account-options";
import { registerAppClip } from "@/lib/identity/accounts/register-app-clip";
import { removeAppClip } from "@/lib/identity/accounts/remove-app-clip";
import { updateAccountOptions } from "@/lib/identity/accounts/update-account-options";
import type { Context, Role } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { wakeLocally } from "@/lib/platform/database/wake";
import { newId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { countStatements } from "@/lib/testing/database/count-statements";

let account: TestAccount;

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox", limited: true });
});

const CHANGES = {
  locations: false,
  rcs: false,
  attachment_tier: "ephemeral",
  retention_minutes: 90,
  first_message_links: "reject",
  default_webhook_version: "2025-01-01",
  developer_tokens: true,
  take_over_minutes: 20,
  loop_exchanges: 50,
  message_search: false,
  quiet_hours: { from: "21:00", to: "08:00", time_zone: "Europe/Berlin", action: "hold" },
  expires_at: "2031-01-02T03:04:05.000Z",
  requests_per_minute: 5,
  daily_messages: null,
  pair_messages: 7,
  storage_mb: 9,
  checkout_clip: "in_review",
} as const;

describe("account options", () => {
  test("a sandbox starts with the cap, a production account without", async () => {
    const production = await createTestAccount({ type: "production", limited: true });
    const defaults = { locations: true, rcs: true, first_message_links: "allow", pair_messages: 30 };
    expect(await findAccountOptions(account.ref.id)).toMatchObject({ ...defaults, daily_messages: 100 });
    expect(await findAccountOptions(production.ref.id)).toMatchObject({ ...defaults, daily_messages: null });
  });

  test("the app clip of a sandbox's checkout is active at once, of a production account's once the operator says so", async () => {
    const production = await createTestAccount({ type: "production" });
    expect((await findAccountOptions(account.ref.id)).checkout_clip).toBe("active");
    expect((await findAccountOptions(production.ref.id)).checkout_clip).toBe("in_review");
    const body = { checkout_clip: "active" } as const;
    const own = updateAccountOptions({ ...contextOf("admin"), account: production.ref }, { body });
    await expect(own).rejects.toMatchObject({ errorName: "access_denied" });
    await updateAccountOptions(production.context(), { body });
    expect((await findAccountOptions(production.ref.id)).checkout_clip).toBe("active");
  });

  test("every option can be changed, holds at once, and is on record with what it was", async () => {
    await findAccountOptions(account.ref.id);
    await updateAccountOptions(account.context(), { body: CHANGES });

    expect(await findAccountOptions(account.ref.id)).toEqual({ ...CHANGES, app_clips: [] });
    const [entry] = await sql.runText<{ detail: object }>({
      text: "select detail from audit_entries where account_id = $1 and action = 'account.options_changed'",
      values: [account.ref.id],
    });
    expect(entry?.detail).toMatchObject({ from: { locations: true, daily_messages: 100 }, to: CHANGES });
  });

  test("an option that is not named stays", async () => {
    await updateAccountOptions(account.context(), { body: CHANGES });
    await updateAccountOptions(account.context(), { body: { rcs: true } });
    expect(await findAccountOptions(account.ref.id)).toEqual({ ...CHANGES, rcs: true, app_clips: [] });
  });

  test("reading them again asks the database only after a change", async () => {
    await findAccountOptions(account.ref.id);
    expect(await countStatements(() => findAccountOptions(account.ref.id))).toBe(0);
    wakeLocally("accounts");
    expect(await countStatements(() => findAccountOptions(account.ref.id))).toBeGreaterThan(0);
  });

  test("an admin may change them, and limits only the operator", async () => {
    const chosen = updateAccountOptions(contextOf("admin"), { body: { first_message_links: "reject" } });
    expect((await chosen).first_message_links).toBe("reject");
    const raised = updateAccountOptions(contextOf("admin"), { body: { daily_messages: 1_000_000 } });
    await expect(raised).rejects.toMatchObject({ errorName: "access_denied" });
  });

  test("tokens of an expired sandbox are refused with 403, and work again when it is extended", async () => {
    const past = new Date(now().getTime() - 1000).toISOString();
    await updateAccountOptions(account.context(), { body: { expires_at: past } });
    const refused = await callApi("GET /v3/phone_numbers", { token: account.token });
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 2005 } } });
    expect(refused.body.error.message).toContain(`expired at ${past}`);

    await updateAccountOptions(account.context(), { body: { expires_at: null } });
    expect((await callApi("GET /v3/phone_numbers", { token: account.token })).status).toBe(200);
  });
});

describe("app clips", () => {
  const body = { name: "Shop", url_prefix: "https://appclip.example.com/shop" };

  test("a registered one is among the options until it is removed", async () => {
    const { id } = await registerAppClip(account.context(), { body });
    expect((await findAccountOptions(account.ref.id)).app_clips).toEqual([{ id, ...body }]);
    await removeAppClip(account.context(), { params: { appClipId: id } });
    expect((await findAccountOptions(account.ref.id)).app_clips).toEqual([]);
  });

  test("a prefix is registered once; an unknown one cannot be removed", async () => {
    await registerAppClip(account.context(), { body });
    const again = registerAppClip(account.context(), { body });
    await expect(again).rejects.toMatchObject({ errorName: "state_conflict" });
    const unknown = removeAppClip(account.context(), { params: { appClipId: newId(Date.now()) } });
    await expect(unknown).rejects.toMatchObject({ errorName: "name_unknown" });
  });
});

function contextOf(role: Role): Context {
  const user = { userId: newId(Date.now()), name: "Ada", email: "ada@example.com" };
  return { ...account.context(), actor: { type: "user", role, ...user } };
}
