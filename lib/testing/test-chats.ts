import { sql } from "@/lib/platform/db";
import { callApi } from "@/lib/testing/call-api";
import type { TestAccount } from "@/lib/testing/create-test-account";
import { createTestPhone, until, writeAs } from "@/lib/testing/factories";

/** A group of our line and phones, which the first of them opened. */
export async function createTestGroup(
  account: TestAccount,
  size: number,
  more: Parameters<typeof createTestPhone>[1] = {},
): Promise<{ chatId: string; phones: string[]; first: string }> {
  const phones: string[] = [];
  while (phones.length < size) phones.push(await createTestPhone(account, more));
  const [first = "", ...others] = phones;
  const { chatId } = await writeAs(account, first, { to: account.line, also_to: others, text: "hello all" });
  return { chatId, phones, first };
}

/** The partner-facing events of a chat besides messages and its creation, in their order. */
export async function changesOf(account: TestAccount, chatId: string) {
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever was stored
  const rows = await sql.query<{ type: string; data: any }>({
    text: `select type, data from events where account_id = $1 and chat_id = $2 and not internal
             and type not like 'message.%' and type <> 'chat.created' order by seq`,
    values: [account.ref.id, chatId],
  });
  return rows;
}

/** Waits until a chat has no pending work. */
export function untilDone(chatId: string) {
  return until(async () => (await waitingActions(chatId)).length === 0);
}

/** The kinds of what is still to be done in a chat, in its order. */
export async function waitingActions(chatId: string): Promise<string[]> {
  const rows = await sql.query<{ kind: string }>({
    text: "select kind from chat_actions where chat_id = $1 order by id",
    values: [chatId],
  });
  return rows.map(({ kind }) => kind);
}

/** The participants of a chat as the API shows them: status by handle. */
export async function membersOf(account: TestAccount, chatId: string): Promise<Record<string, string>> {
  const { body } = await callApi(`GET /v3/chats/${chatId}`, { token: account.token });
  return Object.fromEntries(
    body.handles.map(({ handle, status }: Record<string, string>) => [handle, status]),
  );
}
