import { sql } from "@/lib/platform/database/db";
import { callApi } from "@/lib/testing/call-api";
import type { TestAccount } from "@/lib/testing/create-test-account";
import { createTestPhone, writeAs } from "@/lib/testing/factories";
import { until } from "@/lib/testing/until";

/** Creates a group of Trunkline's line and simulated phones. The first phone starts it. */
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

/** Returns the partner-facing events of a chat in order, except its creation and messages. */
export async function changesOf(account: TestAccount, chatId: string) {
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary fields
  const rows = await sql.runText<{ type: string; data: any }>({
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

/** Returns the types of a chat's pending actions, in order. */
export async function waitingActions(chatId: string): Promise<string[]> {
  const rows = await sql.runText<{ kind: string }>({
    text: "select kind from chat_actions where chat_id = $1 order by id",
    values: [chatId],
  });
  return rows.map(({ kind }) => kind);
}

/** Returns the status of a chat's participants in the API, by handle. */
export async function membersOf(account: TestAccount, chatId: string): Promise<Record<string, string>> {
  const { body } = await callApi(`GET /v3/chats/${chatId}`, { token: account.token });
  return Object.fromEntries(
    body.handles.map(({ handle, status }: Record<string, string>) => [handle, status]),
  );
}

/** Copies a direct chat `count` times, each copy with one pending message. Returns the ids of the messages. */
export async function copyChats(account: TestAccount, chatId: string, count: number): Promise<string[]> {
  const rows = await sql.runText<{ id: string }>({
    text: `with chat as (
             insert into chats (account_id, id, line_id, line_type, is_group, recipient_handle, service,
               health_updated_at, last_activity_at, created_at, updated_at)
             select account_id, gen_random_uuid(), line_id, line_type, is_group, recipient_handle, service,
               health_updated_at, last_activity_at, created_at, updated_at
             from chats, generate_series(1, $3) where account_id = $1 and id = $2
             returning *
           ), party as (
             insert into participants (account_id, id, chat_id, handle, is_me, service, joined_at)
             select p.account_id, gen_random_uuid(), chat.id, p.handle, p.is_me, p.service, p.joined_at
             from chat, participants p where p.account_id = $1 and p.chat_id = $2
             returning *
           )
           insert into messages (account_id, id, chat_id, line_id, sender_id, is_from_me, parts, delivery_status,
             trace_id, created_at, updated_at, dispatch_at)
           select chat.account_id, gen_random_uuid(), chat.id, chat.line_id, party.id, true,
             '[{"type":"text","value":"hello","text_decorations":null}]', 'pending', 'trace', now(), now(), now()
           from chat join party on party.chat_id = chat.id and party.is_me
           returning id`,
    values: [account.ref.id, chatId, count],
  });
  return rows.map((row) => row.id);
}
