import "@/lib/testing/use-test-database";

import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { prisma } from "@/lib/platform/database/db";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { acceptTestMessage, createDirectChat, createTestPhone, writeAs } from "@/lib/testing/factories";

let account: TestAccount;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
});

interface Walk {
  path: string;
  query: string;
  key: "messages" | "chats";
}

/** Reads all pages and returns the ids. */
async function readAllPages({ path, query, key }: Walk): Promise<string[]> {
  const seen: string[] = [];
  for (let cursor = ""; ; ) {
    const answer = await callApi(`GET ${path}?${query}${cursor}`, { token: account.token });
    expect(answer.status).toBe(200);
    seen.push(...answer.body[key].map(({ id }: { id: string }) => id));
    if (answer.body.next_cursor === null) return seen;
    expect(answer.body[key].length).toBeGreaterThan(0);
    cursor = `&cursor=${encodeURIComponent(answer.body.next_cursor)}`;
  }
}

/** Reads all pages while concurrent writers, each with its own connection, keep writing. */
async function readAllPagesWhileWriting(
  asked: Walk,
  writers: number,
  write: (writer: number) => Promise<unknown>,
): Promise<{ seen: string[]; written: number }> {
  let isOver = false;
  let written = 0;
  const writing = Array.from({ length: writers }, async (_, writer) => {
    for (; !isOver; written++) await write(writer);
  });
  // Paging begins once a writer has started.
  while (written === 0 && writers > 0) await new Promise((resolve) => setImmediate(resolve));
  try {
    return { seen: await readAllPages(asked), written };
  } finally {
    isOver = true;
    await Promise.all(writing);
  }
}

const sizes = {
  there: fc.integer({ min: 1, max: 14 }),
  writers: fc.integer({ min: 1, max: 4 }),
  limit: fc.integer({ min: 1, max: 5 }),
};

test("a walk over messages shows each that was there once, newest first, and repeats none, amid inserts", async () => {
  await fc.assert(
    fc.asyncProperty(fc.record(sizes), async ({ there, writers, limit }) => {
      const phone = await createTestPhone(account);
      const chatId = await createDirectChat(account, phone);
      const known: string[] = [];
      for (let made = 0; made < there; made++) known.push(await acceptTestMessage(account, chatId));
      const list = {
        path: `/v3/chats/${chatId}/messages`,
        query: `limit=${limit}`,
        key: "messages",
      } as const;

      const { seen } = await readAllPagesWhileWriting(list, writers, (writer) =>
        writer % 2 === 0
          ? acceptTestMessage(account, chatId, "meanwhile")
          : writeAs(account, phone, { to: chatId, text: "meanwhile" }),
      );

      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.filter((id) => known.includes(id))).toEqual(known.toReversed());
      const accepted = await prisma().message.findMany({ where: { chatId }, orderBy: { position: "desc" } });
      const order = accepted.map(({ id }) => id).filter((id) => seen.includes(id));
      expect(seen).toEqual(order);
    }),
    { numRuns: 8 },
  );
});

test("a walk over a thread shows each reply that was there once, and repeats none, amid inserts", async () => {
  const order = fc.constantFrom("asc", "desc");
  await fc.assert(
    fc.asyncProperty(fc.record({ ...sizes, order }), async ({ there, writers, limit, order: asked }) => {
      const phone = await createTestPhone(account);
      const chatId = await createDirectChat(account, phone);
      const first = await acceptTestMessage(account, chatId, "first");
      const reply = () =>
        acceptTestMessage(account, chatId, "reply", { reply_to: { message_id: first, part_index: 0 } });
      const known = [first];
      for (let made = 0; made < there; made++) known.push(await reply());
      const query = `limit=${limit}&order=${asked}`;
      const thread = { path: `/v3/messages/${first}/thread`, query, key: "messages" } as const;

      // In ascending order, each new reply moves the end further away, so the number of replies is limited.
      let left = 60;
      const { seen } = await readAllPagesWhileWriting(thread, writers, async () =>
        left-- > 0 ? reply() : new Promise((resolve) => setImmediate(resolve)),
      );

      expect(new Set(seen).size).toBe(seen.length);
      const sorted = asked === "asc" ? known : known.toReversed();
      expect(seen.filter((id) => known.includes(id))).toEqual(sorted);
      expect(seen).toEqual(asked === "asc" ? seen.toSorted() : seen.toSorted().toReversed());
    }),
    { numRuns: 8 },
  );
});

test("paging over chats shows each unchanged chat exactly once, and no chat twice", async () => {
  const phones: string[] = [];
  while (phones.length < 12) phones.push(await createTestPhone(account));
  const chats = await Promise.all(phones.map((phone) => createDirectChat(account, phone)));
  const choices = fc.record({
    ...sizes,
    touched: fc.uniqueArray(fc.nat({ max: phones.length - 1 }), { minLength: 1, maxLength: 6 }),
  });

  await fc.assert(
    fc.asyncProperty(choices, async ({ touched, writers, limit }) => {
      const list = { path: "/v3/chats", query: `limit=${limit}`, key: "chats" } as const;
      let turn = 0;
      const { seen } = await readAllPagesWhileWriting(list, writers, async (writer) => {
        // Creates new chats, which sort above all others.
        if (writer === 3) return createDirectChat(account, await createTestPhone(account));
        const phone = phones[touched[turn++ % touched.length] ?? 0] ?? "";
        return writeAs(account, phone, { to: account.line, text: "touched" });
      });

      const untouched = chats.filter((_, index) => !touched.includes(index));
      expect(new Set(seen).size).toBe(seen.length);
      expect(untouched.filter((id) => seen.filter((one) => one === id).length !== 1)).toEqual([]);
    }),
    { numRuns: 6 },
  );
});
