import { expect, test } from "vitest";
import { editsLeftInWords, possibleActions } from "@/components/chats/bubble/possible-actions";
import type { MessageView } from "@/lib/messaging/messages/message-view";

const SENT = Date.parse("2026-01-01T12:00:00Z");
const MINUTE = 60_000;

const edit = { part_index: 0, text: "old", edited_at: "2026-01-01T12:01:00Z" };
const message = (more: Partial<MessageView> = {}): MessageView => ({
  id: "01a00000-0000-7000-8000-000000000001",
  chat_id: "01a00000-0000-7000-8000-000000000002",
  created_at: "2026-01-01T11:59:59Z",
  updated_at: "2026-01-01T12:00:00Z",
  sent_at: "2026-01-01T12:00:00Z",
  delivered_at: null,
  read_at: null,
  delivery_status: "sent",
  is_read: false,
  is_delivered: false,
  replaces: null,
  is_from_me: true,
  from: "+15550100101",
  from_handle: null,
  parts: [
    {
      type: "text",
      value: "Hello",
      text_decorations: null,
      inline_stickers: null,
      mentions: null,
      mention: null,
      mention_range: null,
      reactions: null,
    },
  ],
  effect: null,
  preferred_service: null,
  reply_to: null,
  service: "iMessage",
  trace_id: "0".repeat(32),
  failure: null,
  kind: "content",
  edits: [],
  poll: null,
  duration_ms: null,
  sticker_parts: [],
  experience: null,
  ...more,
});
const actions = (more: Partial<MessageView> = {}, afterMs = MINUTE, isUsable = true) =>
  possibleActions(message(more), 0, { isUsable, nowMs: SENT + afterMs });

test("a text from the line can be edited five times within fifteen minutes of being sent", () => {
  expect(actions().edit).toEqual({ timesLeft: 5, minutesLeft: 14 });
  expect(actions({ edits: [edit, edit, edit, edit] }, 14.5 * MINUTE).edit).toEqual({
    timesLeft: 1,
    minutesLeft: 1,
  });
  expect(actions({ edits: Array(5).fill(edit) }).edit).toBeNull();
  expect(actions({}, 15 * MINUTE).edit).toBeNull();
  expect(editsLeftInWords({ timesLeft: 1, minutesLeft: 3 })).toBe("1 edit left in the next 3 min");
});

test("a message from the line can be unsent for two minutes, whatever it contains", () => {
  expect(actions({}, MINUTE).unsendSeconds).toBe(60);
  expect(actions({ kind: "poll", parts: [] }, 0).unsendSeconds).toBe(120);
  expect(actions({ service: null, sent_at: null }, 0).unsendSeconds).toBe(119);
  expect(actions({}, 2 * MINUTE).unsendSeconds).toBeNull();
  expect(actions({ is_from_me: false }).unsendSeconds).toBeNull();
  expect(actions({ service: "SMS" }).unsendSeconds).toBeNull();
  expect(actions({ delivery_status: "failed" }).unsendSeconds).toBeNull();
  expect(actions({}, MINUTE, false).unsendSeconds).toBeNull();
});

test("an unsent message takes no reaction, edit or vote, and is not unsent again", () => {
  const unsent = { unsent_at: "2026-01-01T12:00:30Z" };
  expect(actions(unsent)).toMatchObject({ react: false, edit: null, unsendSeconds: null, vote: false });
});

test.each([
  ["from someone else", { is_from_me: false }],
  ["that failed", { delivery_status: "failed" as const }],
  ["sent over SMS", { service: "SMS" as const }],
  ["without text", { parts: [] }],
])("a message %s can't be edited", (_, more) => {
  expect(actions(more).edit).toBeNull();
});

test("polls, SMS, failed messages and chats that the line left take no reaction", () => {
  expect(actions({ is_from_me: false }).react).toBe(true);
  expect(actions({ kind: "poll", parts: [] })).toMatchObject({ react: false, vote: true });
  expect(actions({ service: "SMS" }).react).toBe(false);
  expect(actions({ delivery_status: "failed" }).react).toBe(false);
  expect(actions({}, MINUTE, false)).toMatchObject({ react: false, edit: null, vote: false, text: "Hello" });
});
