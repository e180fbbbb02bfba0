import { expect, test } from "vitest";
import { toEntries } from "@/components/chats/timeline/timeline-entries";
import type { MessageView } from "@/lib/messaging/messages/message-view";

const at = (minute: number) => `2026-03-01T12:0${minute}:00.000Z`;
const note = (id: string, minute: number) => ({
  id,
  type: "event" as const,
  text: `note ${id}`,
  by: null,
  location: null,
  created_at: at(minute),
});

function message(id: string, minute: number): MessageView {
  return {
    id,
    chat_id: "c",
    created_at: at(minute),
    updated_at: at(minute),
    delivery_status: "received",
    is_from_me: false,
    is_delivered: false,
    is_read: false,
    parts: [],
    sent_at: null,
    delivered_at: null,
    read_at: null,
    effect: null,
    from: null,
    from_handle: null,
    preferred_service: null,
    reply_to: null,
    service: null,
    trace_id: "",
    failure: null,
    kind: "content",
    edits: [],
    poll: null,
    duration_ms: null,
    sticker_parts: [],
    experience: null,
    replaces: null,
  };
}

const idsOf = (...given: Parameters<typeof toEntries>) => toEntries(...given).map(({ id }) => id);

test("messages and notes merge into one timeline, oldest first; at the same time the message comes first", () => {
  const messages = [message("m3", 5), message("m2", 3), message("m1", 1)];
  expect(idsOf(messages, [note("n1", 2), note("n2", 3), note("n3", 7)], false)).toEqual([
    "m1",
    "n1",
    "m2",
    "n2",
    "m3",
    "n3",
  ]);
});

test("notes older than the loaded messages are held back", () => {
  const notes = [note("n1", 1), note("n2", 4)];
  expect(idsOf([message("m2", 3)], notes, true)).toEqual(["m2", "n2"]);
  expect(idsOf([message("m2", 3)], notes, false)).toEqual(["n1", "m2", "n2"]);
  expect(idsOf([], notes, true)).toEqual([]);
  expect(idsOf([], notes, false)).toEqual(["n1", "n2"]);
});
