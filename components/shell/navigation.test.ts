import { expect, test } from "vitest";
import { findPage, firstOnPhone, mayOpen, navigationFor } from "@/components/shell/navigation";
import { PAGE_KEYWORDS } from "@/components/shell/palette/page-keywords";

test.each([
  ["/", "Home"],
  ["/chats", "Chats"],
  ["/chats/019a1f0e-7c3b-7d2a-9f10-2b8f1d1f7a10", "Chats"],
  ["/attachments/019a1f0e-7c3b-7d2a-9f10-2b8f1d1f7a10", "Attachments"],
  ["/chat-health", "Chat health"],
  ["/events", "Events"],
  ["/lines/019a1f0e-7c3b-7d2a-9f10-2b8f1d1f7a10/audits", "Lines"],
  ["/tokens", "API tokens"],
  ["/notices", "Notices"],
  ["/payments/settings", "Payment requests"],
  ["/experiences", "Experiences"],
  ["/requests", "Requests"],
  ["/requests/errors", "Requests"],
  ["/phones/first-steps", "Phones"],
])("%s belongs to %s", (pathname, label) => {
  expect(findPage(pathname)?.label).toBe(label);
});

test("a path that only starts like a page belongs to none", () => {
  expect(findPage("/chatsworth")).toBeUndefined();
  expect(findPage("/sign-in")).toBeUndefined();
});

test("a user without the right to API tokens sees every page except API tokens", () => {
  const hrefs = (may: (right: string) => boolean) =>
    navigationFor(may, "sandbox").flatMap(({ pages }) => pages.map(({ href }) => href));
  const everything = hrefs(() => true);
  expect(everything).toContain("/tokens");

  expect(hrefs((right) => right !== "view_tokens")).toEqual(everything.filter((href) => href !== "/tokens"));
});

test("only a sandbox has phones", () => {
  const hrefs = (environment: "sandbox" | "production") =>
    navigationFor(() => true, environment).flatMap(({ pages }) => pages.map(({ href }) => href));
  expect(hrefs("sandbox").filter((href) => !hrefs("production").includes(href))).toEqual(["/phones"]);
});

test("a link leads on only where its page may be seen", () => {
  const may = (right: string) => right !== "view_tokens";
  expect(mayOpen("/tokens?generate", may)).toBe(false);
  expect(mayOpen("/tokens?generate", () => true)).toBe(true);
  expect(mayOpen("/webhooks/019a1f0e-7c3b-7d2a-9f10-2b8f1d1f7a10", may)).toBe(true);
});

test("on a phone, support's menu begins with the inbox, and every role's pages lead to pages that exist", () => {
  expect(firstOnPhone("support").map(({ label }) => label)).toEqual([
    "Chats",
    "Possible opt-outs",
    "Unread",
    "At risk",
  ]);
  for (const { href } of firstOnPhone("support")) {
    expect(findPage(href.replace(/\?.*/, ""))?.label, href).toBeDefined();
  }
  for (const role of ["admin", "developer", "viewer"] as const) expect(firstOnPhone(role)).toEqual([]);
});

test("every page has search terms in the command palette, and there are none of other pages", () => {
  const hrefs = navigationFor(() => true, "sandbox").flatMap(({ pages }) => pages.map(({ href }) => href));
  expect(Object.keys(PAGE_KEYWORDS)).toEqual(hrefs);
});
