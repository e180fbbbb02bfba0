import { testEvent } from "@/lib/testing/events/test-event";
import "@/lib/testing/use-test-database";

import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { emitEvents, type NewEvent } from "@/lib/events/store/emit-event";
import { sql, transaction } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";

let account: TestAccount;
let counter = 0;

beforeAll(async () => {
  account = await createTestAccount({ type: "production" });
});

async function subscribe(events = ["message.sent", "chat.created"]): Promise<string> {
  const { body } = await callApi("POST /v3/webhook-subscriptions", {
    token: account.token,
    body: { target_url: `https://hooks.example.com/${++counter}`, subscribed_events: events },
  });
  return body.id;
}

function newChat(): string {
  return newId(now().getTime());
}

function eventOf(chatId: string | null, type: "message.sent" | "chat.created" = "message.sent"): NewEvent {
  return testEvent(account.ref.id, { type, chatId });
}

function emit(...events: NewEvent[]): Promise<void> {
  return transaction((tx) => emitEvents(tx, events));
}

interface Numbered {
  chat: string | null;
  sequence: number;
  status: string;
}

/** A subscription's deliveries in the order of the event log. */
function numbersOf(subscriptionId: string): Promise<Numbered[]> {
  return sql.runText<Numbered>({
    text: `select e.chat_id as chat, d.sequence::int, d.status::text
           from webhook_deliveries d join events e on e.account_id = d.account_id and e.seq = d.event_seq
           where d.subscription_id = $1 order by e.seq`,
    values: [subscriptionId],
  });
}

async function sequencesOf(subscriptionId: string, chatId: string | null): Promise<number[]> {
  const rows = await numbersOf(subscriptionId);
  return rows.filter(({ chat }) => chat === chatId).map(({ sequence }) => sequence);
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

describe("sequence", () => {
  test("counts each subscription's own deliveries of each chat, those without a chat apart", async () => {
    const [both, messagesOnly] = [await subscribe(), await subscribe(["message.sent"])];
    const [one, other] = [newChat(), newChat()];
    await emit(
      eventOf(one, "chat.created"),
      eventOf(one),
      eventOf(other),
      eventOf(null),
      eventOf(one),
      eventOf(null),
    );
    await emit(eventOf(one), eventOf(other));

    expect(await sequencesOf(both, one)).toEqual(upTo(4));
    expect(await sequencesOf(messagesOnly, one)).toEqual(upTo(3));
    for (const subscription of [both, messagesOnly]) {
      expect(await sequencesOf(subscription, other)).toEqual(upTo(2));
      expect(await sequencesOf(subscription, null)).toEqual(upTo(2));
    }
  });

  test("goes on while the subscription is paused: a receiver sees what it has missed", async () => {
    const id = await subscribe();
    const chat = newChat();
    const put = (is_active: boolean) =>
      callApi(`PUT /v3/webhook-subscriptions/${id}`, { token: account.token, body: { is_active } });
    await emit(eventOf(chat));
    await put(false);
    await emit(eventOf(chat), eventOf(chat));
    await put(true);
    await emit(eventOf(chat));
    expect((await numbersOf(id)).map(({ sequence, status }) => `${sequence} ${status}`)).toEqual([
      "1 waiting",
      "2 skipped",
      "3 skipped",
      "4 waiting",
    ]);
  });

  test("an event whose transaction is still open cannot be overtaken by a later one of the same chat", async () => {
    const id = await subscribe();
    const [chat, unrelated] = [newChat(), newChat()];
    const open = Promise.withResolvers<void>();
    const emitted = Promise.withResolvers<void>();
    const first = transaction(async (tx) => {
      await emitEvents(tx, [eventOf(chat)]);
      emitted.resolve();
      await open.promise;
    });
    await emitted.promise;
    let overtaken = false;
    const second = emit(eventOf(chat)).then(() => {
      overtaken = true;
    });
    await emit(eventOf(unrelated));
    await sleep(50);
    expect(overtaken).toBe(false);
    open.resolve();
    await Promise.all([first, second]);

    expect(await sequencesOf(id, chat)).toEqual([1, 2]);
  });

  test("has no gap after a rollback", async () => {
    const id = await subscribe();
    const chat = newChat();
    await emit(eventOf(chat));
    const interrupted = transaction(async (tx) => {
      await emitEvents(tx, [eventOf(chat), eventOf(chat)]);
      throw new Error("interrupted");
    });
    await expect(interrupted).rejects.toThrow("interrupted");
    await emit(eventOf(chat));
    expect(await sequencesOf(id, chat)).toEqual([1, 2]);
  });

  test("many writers at once, some of them rolled back: no gap, no repeat, always in the order of the log", async () => {
    const ids = [await subscribe(), await subscribe(["message.sent"])];
    const chats = [null, ...upTo(4).map(newChat)];
    const pick = () => chats[Math.floor(Math.random() * chats.length)] ?? null;
    const writers = upTo(120).map(() =>
      transaction(async (tx) => {
        await emitEvents(
          tx,
          upTo(1 + Math.floor(Math.random() * 6)).map(() => eventOf(pick())),
        );
        if (Math.random() < 0.2) throw new Error("interrupted");
      }),
    );
    const outcomes = await Promise.allSettled(writers);
    const failures = outcomes.flatMap((outcome) =>
      outcome.status === "rejected" ? [outcome.reason.message] : [],
    );
    expect(new Set(failures)).toEqual(new Set(["interrupted"]));

    for (const id of ids) {
      for (const chat of chats) {
        const sequences = await sequencesOf(id, chat);
        expect(sequences.length).toBeGreaterThan(10);
        expect(sequences).toEqual(upTo(sequences.length));
      }
    }
  });
});
