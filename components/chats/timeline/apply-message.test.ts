import { expect, test } from "vitest";
import { applyMessage, type LoadedTimeline } from "@/components/chats/timeline/apply-message";
import type { MessageView } from "@/lib/messaging/messages/message-view";

function message(id: string, text = id): MessageView {
  return {
    id,
    chat_id: "c",
    created_at: "2026-03-01T12:00:00.000Z",
    updated_at: "2026-03-01T12:00:00.000Z",
    delivery_status: "sent",
    is_from_me: true,
    is_read: false,
    is_delivered: false,
    replaces: null,
    parts: [
      {
        type: "text",
        value: text,
        text_decorations: null,
        inline_stickers: null,
        mentions: null,
        mention: null,
        mention_range: null,
        reactions: null,
      },
    ],
    sent_at: null,
    delivered_at: null,
    read_at: null,
    effect: null,
    from: null,
    from_handle: null,
    preferred_service: null,
    reply_to: null,
    service: null,
    trace_id: "t",
    failure: null,
    kind: "content",
    edits: [],
    poll: null,
    duration_ms: null,
    sticker_parts: [],
    experience: null,
  };
}

const loaded: LoadedTimeline = {
  pages: [
    { messages: [message("5"), message("4")], next_cursor: "c", newer_cursor: null },
    { messages: [message("2"), message("1")], next_cursor: null, newer_cursor: null },
  ],
  pageParams: [{}, { cursor: "c" }],
};

function ids({ pages }: LoadedTimeline): string[][] {
  return pages.map((page) => page.messages.map(({ id }) => id));
}

test("a new message comes first", () => {
  expect(ids(applyMessage(loaded, "6", message("6")))).toEqual([
    ["6", "5", "4"],
    ["2", "1"],
  ]);
});

test("a message that arrives late is inserted in order", () => {
  expect(ids(applyMessage({ ...loaded, pages: loaded.pages.slice(0, 1) }, "45", message("45")))).toEqual([
    ["5", "45", "4"],
  ]);
});

test("a new message is left out while messages before it are not loaded", () => {
  const [first] = loaded.pages;
  const pages = first === undefined ? [] : [{ ...first, newer_cursor: "n" }];
  expect(ids(applyMessage({ ...loaded, pages }, "6", message("6")))).toEqual([["5", "4"]]);
});

test("a known message is replaced in place, also on an older page", () => {
  const changed = applyMessage(loaded, "1", message("1", "changed"));

  expect(ids(changed)).toEqual(ids(loaded));
  expect(changed.pages[1]?.messages[1]?.parts[0]).toMatchObject({ value: "changed" });
});

test("a deleted message is removed, and deleting an unknown one changes nothing", () => {
  expect(ids(applyMessage(loaded, "4", null))).toEqual([["5"], ["2", "1"]]);
  expect(ids(applyMessage(loaded, "9", null))).toEqual(ids(loaded));
});
