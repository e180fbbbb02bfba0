import { afterEach, beforeAll, beforeEach, expect } from "vitest";
import type { z } from "zod";
import type { InboundMessage, InPart } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import type { EventData } from "@/lib/events/catalog/define-events";
import { receiveMessage } from "@/lib/messaging/inbound/receive-message";
import type { Received } from "@/lib/messaging/inbound/receive-text";
import { closeTurn, type TurnKey } from "@/lib/messaging/turns/close-turn";
import type { TURN_EVENTS } from "@/lib/messaging/turns/turn-events";
import { sql } from "@/lib/platform/database/db";
import { now } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { advanceClock, freezeClock } from "@/lib/testing/factories";
import { lineOf } from "@/lib/testing/line-of";
import { receiveEvent } from "@/lib/testing/receive-event";
import type { TurnSettings } from "@/lib/webhooks/subscriptions/turn-settings";

/** The stored data of chat.turn. */
export type StoredTurn = EventData<(typeof TURN_EVENTS)["chat.turn"]>;

/** A sandbox account whose clock stands still, with a subscription to chat.turn for each test. */
export function createTurnBench() {
  let account: TestAccount;
  let line: LineRef;
  let refs = 0;
  let handles = 0;

  beforeAll(async () => {
    account = await createTestAccount({ type: "sandbox" });
    line = await lineOf(account);
  });

  beforeEach(() => freezeClock());

  afterEach(async () => {
    freezeClock(false);
    await sql.runText({
      text: "update webhook_subscriptions set deleted_at = now(), is_active = false where account_id = $1",
      values: [account.ref.id],
    });
    await sql.runText({ text: "delete from chat_turns where account_id = $1", values: [account.ref.id] });
  });

  const text = (value: string): InPart => ({ type: "text", value });

  async function due(): Promise<TurnKey[]> {
    return sql.runText<TurnKey>({
      text: `select account_id, chat_id, handle, subscription_id, is_recovered from chat_turns
             where account_id = $1 and due_at <= $2 order by due_at`,
      values: [account.ref.id, now()],
    });
  }

  return {
    account: () => account,
    line: () => line,
    text,

    /** A handle that has not written yet. */
    person: () => `+1779${1_000_000 + ++handles}`,

    async subscribe(turns?: TurnSettings | null, more: object = {}): Promise<string> {
      const { status, body } = await callApi("POST /v3/webhook-subscriptions", {
        token: account.token,
        body: {
          target_url: `https://example.com/turns/${++refs}`,
          subscribed_events: ["chat.turn"],
          ...(turns !== undefined && { turns }),
          ...more,
        },
      });
      expect([status, body.error]).toEqual([201, undefined]);
      return body.id;
    },

    /** Receives a message. `ref` of the vendor: `refOf` the result. */
    async write(
      from: string,
      content: string | readonly InPart[],
      more: Partial<InboundMessage> = {},
    ): Promise<Received & { ref: string }> {
      const ref = `turn-${++refs}`;
      const received = await receiveMessage(line, {
        type: "message",
        ref,
        groupRef: null,
        from,
        others: [],
        service: "iMessage",
        at: now(),
        parts: typeof content === "string" ? [text(content)] : content,
        ...more,
      });
      if (received === null) throw new Error("the message was dropped");
      return { ...received, ref };
    },

    async types(from: string, isOn: boolean, groupRef: string | null = null): Promise<void> {
      await receiveEvent(line, { type: "typing", ref: null, groupRef, from, isOn, at: now() });
    },

    due,

    /** Closes every turn that is due. */
    async close(): Promise<void> {
      for (const key of await due()) await closeTurn(key);
    },

    /** Moves the clock, and closes what is due. */
    async pass(seconds: number): Promise<void> {
      advanceClock(seconds);
      for (const key of await due()) await closeTurn(key);
    },

    /** The turns of a chat, oldest first. */
    async turns(chatId: string): Promise<StoredTurn[]> {
      const rows = await sql.runText<{ data: z.input<(typeof TURN_EVENTS)["chat.turn"]["data"]> }>({
        text: "select data from events where account_id = $1 and chat_id = $2 and type = 'chat.turn' order by seq",
        values: [account.ref.id, chatId],
      });
      return rows.map(({ data }) => data);
    },

    async openTurns(chatId: string): Promise<string[][]> {
      const rows = await sql.runText<{ message_ids: string[] }>({
        text: "select message_ids from chat_turns where account_id = $1 and chat_id = $2 order by started_at",
        values: [account.ref.id, chatId],
      });
      return rows.map(({ message_ids }) => message_ids);
    },
  };
}

/** The ids of a turn's messages, in order. */
export function idsOf(turn: StoredTurn | undefined): string[] {
  return (turn?.messages ?? []).map(({ message }) => message.id);
}
