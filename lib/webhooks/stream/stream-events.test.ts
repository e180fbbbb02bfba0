import { EVENT_CATALOG } from "@/lib/docs/reference/event-catalog";
import "@/lib/testing/use-test-database";
import { beforeAll, expect, test } from "vitest";
import { EVENT_KINDS, EVENT_TYPES } from "@/lib/events/catalog/event-types";
import type { LoggedEvent } from "@/lib/events/store/logged-event";
import { newId, newTraceId } from "@/lib/platform/ids";
import { captureLog } from "@/lib/testing/capture-log";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { streamEvents } from "@/lib/webhooks/stream/stream-events";

const logged = captureLog();
let account: TestAccount;
beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
});

function eventOf(type: (typeof EVENT_TYPES)[number]): LoggedEvent {
  return {
    accountId: account.ref.id,
    seq: 1,
    id: newId(Date.now()),
    type,
    internal: false,
    lineId: null,
    chatId: null,
    messageId: null,
    traceId: newTraceId(),
    data: EVENT_CATALOG[type].payload.example,
    createdAt: new Date(),
  };
}

test("a stream of an earlier version leaves out the types that came later, and never tries to render them", async () => {
  const query = { types: [], phone_numbers: [], version: "2025-01-01" as const };
  const stream = await streamEvents(account.context(), { query });
  const later = EVENT_TYPES.filter((type) => EVENT_KINDS[type].since > "2025-01-01");
  expect(later).not.toEqual([]);
  for (const type of later) expect(await stream.tell(eventOf(type))).toBeNull();
  expect(await stream.tell(eventOf("message.sent"))).not.toBeNull();
  // An event that can't be rendered is omitted too, but is logged as an error.
  expect(logged.filter((line) => line.includes("omitted from a stream"))).toEqual([]);
});

test("a stream of all events leaves out turns, and one that names the type has them", async () => {
  const query = { types: [], phone_numbers: [], version: "2026-02-03" as const };
  const all = await streamEvents(account.context(), { query });
  expect(await all.tell(eventOf("chat.turn"))).toBeNull();
  const named = await streamEvents(account.context(), { query: { ...query, types: ["chat.turn"] } });
  expect(await named.tell(eventOf("chat.turn"))).not.toBeNull();
});
