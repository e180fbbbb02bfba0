import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EXAMPLE_SENT_MESSAGE } from "@/lib/messaging/messages/message";
import { compactBody, expandBody, isCompactable } from "@/lib/request-log/store/compact-body";

const VALUES = {
  chatId: "01a11111-0000-7000-8000-00000000000a",
  messageId: "01a11111-0000-7000-8000-00000000000b",
  traceId: "0123456789abcdef0123456789abcdef",
  line: "+15550100001",
};
const NONE = { chatId: null, messageId: null, traceId: "", line: null };

describe("a compact body expands to what it was", () => {
  test("for any content", () => {
    const piece = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom(...Object.values(VALUES), '","created_at":"', '","handle":"', "null,", "$&", "\n\t"),
    );
    const values = fc.constantFrom(VALUES, NONE, { ...VALUES, chatId: VALUES.messageId });
    fc.assert(
      fc.property(fc.array(piece), values, (pieces, known) => {
        const body = pieces.join("");
        fc.pre(isCompactable(body));
        expect(expandBody(compactBody(body, known), known)).toBe(body);
      }),
    );
  });

  test.each([
    ["empty", ""],
    ["a form", "a=1&b=2"],
    ["pretty-printed", JSON.stringify({ chat_id: VALUES.chatId }, null, "\t")],
    ["cut off", '{"chat_id":"01a11111-0000-7000-80'],
  ])("%s", (_case, body) => {
    expect(isCompactable(body)).toBe(true);
    expect(expandBody(compactBody(body, VALUES), VALUES)).toBe(body);
  });
});

test("the response to a send takes less than two fifths", () => {
  const from_handle = { ...EXAMPLE_SENT_MESSAGE.from_handle, handle: VALUES.line };
  const message = { ...EXAMPLE_SENT_MESSAGE, id: VALUES.messageId, from_handle };
  const body = JSON.stringify({ chat_id: VALUES.chatId, message });
  expect(compactBody(body, VALUES).length).toBeLessThan(body.length * 0.4);
});

test("a body with a control character is not compactable", () => {
  expect(isCompactable('{"text":"\u0001"}')).toBe(false);
  expect(isCompactable('{"text":"\u001f"}')).toBe(false);
  expect(isCompactable('{"text":"\\u0001"}')).toBe(true);
});
