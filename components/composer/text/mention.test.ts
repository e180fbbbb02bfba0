import { expect, test } from "vitest";
import { EMPTY_DRAFT } from "@/components/composer/draft";
import { withMention } from "@/components/composer/text/mention";
import { toContent } from "@/components/composer/to-content";

const ANN = "+15550100101";
const draft = (text: string) => ({ ...EMPTY_DRAFT, text });
const sent = (...mention: Parameters<typeof withMention>) => toContent(withMention(...mention))?.parts[0];

test("a typed @ is replaced with the handle, and the cursor moves behind it", () => {
  expect(sent(draft("Please @ look"), { start: 8, end: 8 }, ANN)).toMatchObject({
    value: `Please ${ANN}  look`,
    mentions: [{ handle: ANN, range: [7, 7 + ANN.length] }],
  });
});

test("selected words become a mention and keep their text", () => {
  expect(sent(draft("Ann, look"), { start: 0, end: 3 }, ANN)).toMatchObject({
    value: "Ann, look",
    mentions: [{ handle: ANN, range: [0, 3] }],
  });
});

test("a draft sends its files before its text, and nothing if it has neither", () => {
  expect(toContent({ ...draft("  "), effect: { type: "screen", name: "confetti" } })).toBeNull();
  const file = { attachmentId: "a", name: "a.png", contentType: "image/png", sizeBytes: 1 };
  const reply = { messageId: "m", partIndex: 1, writer: "them", quote: "what" };
  expect(toContent({ ...draft("see"), files: [file], reply, transport: "RCS" })).toEqual({
    parts: [
      { type: "media", attachment_id: "a" },
      { type: "text", value: "see" },
    ],
    preferred_service: "RCS",
    reply_to: { message_id: "m", part_index: 1 },
  });
  expect(toContent({ ...EMPTY_DRAFT, files: [file] })?.parts).toHaveLength(1);
});
