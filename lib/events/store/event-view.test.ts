import { expect, test } from "vitest";
import { EVENT_CATALOG } from "@/lib/docs/reference/event-catalog";
import type { EventType } from "@/lib/events/catalog/event-types";
import { toEventView } from "@/lib/events/store/event-view";

function noticeOf(data: unknown) {
  const id = "019ca9c2-9c40-7f86-9a55-70b162930415";
  const about = { accountId: id, lineId: null, chatId: null, messageId: null };
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  return toEventView({
    ...about,
    seq: 1,
    id,
    type: "",
    internal: false,
    traceId,
    data,
    createdAt: new Date(0),
  });
}

test.each<[EventType, string | null, string]>([
  ["message.received", "+12025550123", "On my way!"],
  ["message.edited", "+12025550123", "On my way, five minutes late!"],
  ["message.failed", "+12025550100", "4001: The recipient could not be reached"],
  ["chat.created", null, "+12025550123"],
  ["reaction.added", "+12025550123", "love"],
  ["participant.added", "+12025550123", ""],
  ["phone_number.status_updated", null, "+12025550100"],
  ["api_token.created", null, "The API token “Orders service” was created by Ada Lovelace."],
  ["contact_card.received", null, "Ada"],
  ["chat.group_name_updated", "+12025550123", "Friday dinner"],
  ["chat.group_name_update_failed", null, "Error 4001"],
  ["chat.typing_indicator.started", "+12025550123", ""],
  ["message.opt_out", "+12025550123", ""],
  ["location.sharing.started", "+12025550123", ""],
  ["connection.created", "+12025550123", ""],
])("a line of the log says of %s who caused it and what it was", (type, handle, summary) => {
  expect(noticeOf(EVENT_CATALOG[type].payload.example)).toMatchObject({ handle, summary });
});

test("facts of no known shape leave a line that says nothing", () => {
  for (const data of [null, "text", { summary: 7, part: [], sender_handle: "x", message: { parts: 3 } }]) {
    expect(noticeOf(data)).toMatchObject({ handle: null, summary: "" });
  }
});
