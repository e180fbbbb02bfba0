import "@/lib/testing/use-test-database";

import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { acceptTestMessage, createDirectChat, createTestPhone } from "@/lib/testing/factories";

let account: TestAccount;
let chatId: string;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  chatId = await createDirectChat(account, await createTestPhone(account));
});

function reply(to: string, text = "a reply"): Promise<string> {
  return acceptTestMessage(account, chatId, text, { reply_to: { message_id: to, part_index: 0 } });
}

async function page(messageId: string, query: string) {
  const { status, body } = await callApi(`GET /v3/messages/${messageId}/thread?${query}`, {
    token: account.token,
  });
  expect(status).toBe(200);
  return { ids: body.messages.map(({ id }: { id: string }) => id), next: body.next_cursor };
}

async function readAllPages(
  messageId: string,
  query: string,
  between: () => Promise<unknown>,
): Promise<string[]> {
  const seen: string[] = [];
  let cursor = "";
  for (;;) {
    const { ids, next } = await page(messageId, `${query}${cursor}`);
    seen.push(...ids);
    if (next === null) return seen;
    cursor = `&cursor=${next}`;
    await between();
  }
}

test("a lone message is a thread of itself, and not its neighbours'", async () => {
  const lone = await acceptTestMessage(account, chatId, "alone");
  await acceptTestMessage(account, chatId, "its neighbour");
  expect(await page(lone, "limit=5")).toEqual({ ids: [lone], next: null });
});

test("a reply to a reply is in the thread of the first message, whichever of them is asked for", async () => {
  const first = await acceptTestMessage(account, chatId, "first");
  const second = await reply(first);
  const third = await reply(second);
  for (const id of [first, second, third]) {
    expect((await page(id, "")).ids).toEqual([first, second, third]);
  }
  expect((await page(third, "order=desc")).ids).toEqual([third, second, first]);
});

test("a deleted reply is gone from its thread; a deleted message has none", async () => {
  const first = await acceptTestMessage(account, chatId, "first");
  const second = await reply(first);
  await callApi(`DELETE /v3/messages/${second}`, { token: account.token });
  expect((await page(first, "")).ids).toEqual([first]);
  const { body } = await callApi(`GET /v3/messages/${second}/thread`, { token: account.token });
  expect(body.error.code).toBe(2002);
});

test("paging never skips or repeats what was there, however many replies come meanwhile", async () => {
  const sizes = fc.record({
    there: fc.integer({ min: 0, max: 7 }),
    meanwhile: fc.integer({ min: 0, max: 3 }),
    limit: fc.integer({ min: 1, max: 4 }),
    order: fc.constantFrom("asc", "desc"),
  });
  await fc.assert(
    fc.asyncProperty(sizes, async ({ there, meanwhile, limit, order }) => {
      const first = await acceptTestMessage(account, chatId, "first");
      const known = [first];
      for (let made = 0; made < there; made++) known.push(await reply(first));
      let left = meanwhile;
      const seen = await readAllPages(first, `limit=${limit}&order=${order}`, async () =>
        Promise.all(Array.from({ length: left-- > 0 ? 2 : 0 }, () => reply(first))),
      );
      expect(new Set(seen).size).toBe(seen.length);
      expect(known.filter((id) => !seen.includes(id))).toEqual([]);
      expect(seen).toEqual(order === "asc" ? seen.toSorted() : seen.toSorted().reverse());
    }),
    { numRuns: 25 },
  );
});
