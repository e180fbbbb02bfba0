import { afterEach, beforeEach } from "vitest";
import { claimDueMessages, sendDueMessage } from "@/lib/messaging/scheduled/send-due-messages";
import { sql } from "@/lib/platform/database/db";
import { now } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { uploadWav } from "@/lib/testing/call-files";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { advanceClock, createDirectChat, createTestPhone, freezeClock } from "@/lib/testing/factories";

export const HOUR_S = 3600;
export const DAY_S = 86_400;

/** For each test a sandbox account with a direct chat, whose clock stands still. No message is left waiting. */
export function createScheduledBench() {
  let account: TestAccount;
  let phone: string;
  let chatId: string;
  let advanced = 0;

  beforeEach(async () => {
    freezeClock();
    account = await createTestAccount({ type: "sandbox" });
    phone = await createTestPhone(account);
    chatId = await createDirectChat(account, phone);
  });

  afterEach(async () => {
    // What a test leaves is due in the next one.
    await sql.runText({ text: "delete from scheduled_messages", values: [] });
    advanceClock(-advanced);
    advanced = 0;
    freezeClock(false);
  });

  const call = (what: `${string} ${string}`, body?: object) => callApi(what, { token: account.token, body });

  return {
    /** The account and the chat of the test. */
    current: () => ({ account, phone, chatId }),
    call,

    /** Sends a text to the chat, or to `to`. `more` = further fields of the request, `content` = of the message. */
    send: (text: string, more: object = {}, content: object = {}, to = chatId) =>
      call(`POST /v3/chats/${to}/messages`, { message: textOf(text, content), ...more }),

    statusOf: async (id: string) => (await call(`GET /v3/messages/${id}`)).body.delivery_status,

    uploadWav: () => uploadWav(account.token),

    advance(seconds: number): void {
      advanced += seconds;
      advanceClock(seconds);
    },
  };
}

/** The content of a message with a text. */
export function textOf(value: string, more: object = {}) {
  return { parts: [{ type: "text", value }], ...more };
}

/** A time to come, as `send_at`. */
export function inSeconds(seconds: number): string {
  return new Date(now().getTime() + seconds * 1000).toISOString();
}

/** A time as it is stored, in whole seconds. */
export function toSecond(time: string): string {
  return new Date(Math.floor(Date.parse(time) / 1000) * 1000).toISOString();
}

/** Sends the messages that are due, as one worker. */
export async function runDue(): Promise<void> {
  for (let due = await claimDueMessages(10); due.length > 0; due = await claimDueMessages(10)) {
    await Promise.all(due.map(sendDueMessage));
  }
}
