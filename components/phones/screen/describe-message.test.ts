import { expect, test } from "vitest";
import { describeMessage } from "@/components/phones/screen/describe-message";
import type { PhoneMessage } from "@/lib/simulator/phones/phone-views";

const message = (more: object) =>
  ({ kind: "content", parts: [], sticker_parts: [], ...more }) as unknown as PhoneMessage;
const media = (mime_type: string) => ({ type: "media", filename: "menu.pdf", mime_type });

test.each([
  [{ kind: "poll" }, "Poll"],
  [{ kind: "voice_memo" }, "Voice memo"],
  [{ parts: [{ type: "text", value: "On my way" }] }, "On my way"],
  [{ parts: [media("image/png")] }, "Photo"],
  [{ parts: [media("image/png")], sticker_parts: [0] }, "Sticker"],
  [{ parts: [media("application/pdf")] }, "menu.pdf"],
  [{ parts: [{ type: "link", value: "https://example.com" }] }, "https://example.com"],
  [{ parts: [{ type: "imessage_app", layout: {}, fallback_text: null, app: { name: "Wallet" } }] }, "Wallet"],
  [{}, "Message deleted"],
  [{ is_unsent: true, kind: "poll" }, "Unsent message"],
])("%j is described as %s", (more, text) => {
  expect(describeMessage(message(more))).toBe(text);
});
