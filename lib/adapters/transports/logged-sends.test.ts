import "@/lib/testing/use-test-database";

import { afterEach, beforeAll, expect, test } from "vitest";
import { createLoggedSends } from "@/lib/adapters/transports/logged-sends";
import { setClock } from "@/lib/platform/time/clock";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { acceptTestMessage, createDirectChat, createTestPhone } from "@/lib/testing/factories";

let account: TestAccount;
let chatId: string;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  chatId = await createDirectChat(account, await createTestPhone(account));
});
afterEach(() => setClock(null));

const openSession = () => createLoggedSends({ accountId: account.ref.id }, async () => undefined);
const advance = (ms: number) => setClock({ offsetMs: ms, frozenAt: null });

test("a message from before the session has an unknown outcome, and a later one was not sent", async () => {
  const before = await acceptTestMessage(account, chatId);
  advance(1000);
  const sends = openSession();
  expect(await sends.outcome(before)).toEqual({ state: "unknown" });
  advance(2000);
  const after = await acceptTestMessage(account, chatId);
  expect(await sends.outcome(after)).toEqual({ state: "absent" });
});

test("the outcome of a message from before the session stays unknown when the clock was set back", async () => {
  advance(900_000);
  const before = await acceptTestMessage(account, chatId);
  setClock(null);
  const sends = openSession();
  expect(await sends.outcome(before)).toEqual({ state: "unknown" });
});
