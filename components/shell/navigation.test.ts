import { expect, test } from "vitest";
import { findPage } from "@/components/shell/navigation";

test.each([
  ["/", "Overview"],
  ["/chats", "Chats"],
  ["/chats/019a1f0e-7c3b-7d2a-9f10-2b8f1d1f7a10", "Chats"],
  ["/attachments/019a1f0e-7c3b-7d2a-9f10-2b8f1d1f7a10", "Attachments"],
  ["/chat-health", "Chat health"],
  ["/events", "Events"],
  ["/lines/019a1f0e-7c3b-7d2a-9f10-2b8f1d1f7a10/audits", "Lines"],
  ["/tokens", "API tokens"],
  ["/payments/settings", "Payment requests"],
  ["/experiences", "Experiences"],
  ["/requests", "Requests"],
  ["/requests/errors", "Requests"],
])("%s belongs to %s", (pathname, label) => {
  expect(findPage(pathname)?.label).toBe(label);
});

test("a path that only starts like a page belongs to none", () => {
  expect(findPage("/chatsworth")).toBeUndefined();
  expect(findPage("/sign-in")).toBeUndefined();
});
