import { afterAll, expect, test, vi } from "vitest";
import { searchDocs } from "@/components/docs/search-docs";
import { listSearchEntries } from "@/lib/docs/documents/list-search-entries";

const entries = listSearchEntries();
vi.stubGlobal("fetch", async () => Response.json(entries));
afterAll(() => vi.unstubAllGlobals());

/** What people type, and the page that must come first. */
const QUESTIONS = [
  ["send image", "/docs/guides/sending"],
  ["send a photo", "/docs/guides/sending"],
  ["how do i send a message", "/docs/guides/sending"],
  ["picture too large", "/docs/guides/attachments"],
  ["upload file", "/docs/guides/attachments"],
  ["signature", "/docs/guides/webhooks"],
  ["verify webhook signature", "/docs/guides/webhooks"],
  ["hmac", "/docs/guides/webhooks"],
  ["STOP", "/docs/guides/opt-outs"],
  ["unsubscribe", "/docs/guides/opt-outs"],
  ["opt in", "/docs/guides/opt-outs"],
  ["passkey", "/docs/guides/agent-payments"],
  ["retry webhook", "/docs/guides/webhooks"],
  ["replay events", "/docs/guides/webhooks"],
  ["webhook not arriving", "/docs/guides/webhooks"],
  ["rate limit", "/docs/guides/limits"],
  ["too many requests", "/docs/guides/limits"],
  ["idempotency key", "/docs/guides/idempotency"],
  ["send twice", "/docs/guides/idempotency"],
  ["duplicate message", "/docs/guides/idempotency"],
  ["group chat", "/docs/guides/groups"],
  ["add participant", "/docs/guides/groups"],
  ["typing indicator", "/docs/guides/chats"],
  ["read receipt", "/docs/guides/chats"],
  ["tapback", "/docs/guides/reactions"],
  ["emoji reaction", "/docs/guides/reactions"],
  ["poll", "/docs/guides/polls"],
  ["share location", "/docs/guides/locations"],
  ["confetti", "/docs/guides/effects"],
  ["payment link", "/docs/guides/payments"],
  ["refund", "/docs/guides/payments"],
  ["stripe", "/docs/guides/payments"],
  ["virtual card", "/docs/guides/agent-payments"],
  ["twilio", "/docs/guides/lines/twilio"],
  ["smpp", "/docs/guides/lines/smpp"],
  ["imessage mac", "/docs/guides/lines/imsg"],
  ["android phone", "/docs/guides/lines/android"],
  ["line flagged", "/docs/guides/lines/reputation"],
  ["blocked number", "/docs/guides/opt-outs"],
  ["api key", "/docs/guides/tokens"],
  ["localhost webhook", "/docs/guides/command-line"],
  ["simulate a phone", "/docs/guides/simulator"],
  ["python", "/docs/quickstarts/python"],
  ["mcp", "/docs/guides/mcp"],
  ["migrate", "/docs/guides/moving"],
  ["error codes", "/docs/error/codes"],
  ["4008", "/docs/error/"],
  ["message.received", "/docs/guides/webhooks/events/message.received"],
  ["POST /v3/chats", "/docs/reference/chats"],
] as const;

test.each(QUESTIONS)("%s leads to %s", async (question, page) => {
  const results = await searchDocs(question);
  const [first] = results.map(({ href }) => href.split("#")[0]);
  expect(first?.startsWith(page) ? page : results.slice(0, 3).map(({ href }) => href)).toBe(page);
});

test("each result is listed once, at most twelve, and a word that no page has finds nothing", async () => {
  const hrefs = (await searchDocs("message")).map(({ href }) => href);
  expect(new Set(hrefs).size).toBe(hrefs.length);
  expect(hrefs).toHaveLength(12);
  expect(await searchDocs("xyzzyxyzzy")).toEqual([]);
  expect(await searchDocs("how do I")).not.toEqual([]);
});
