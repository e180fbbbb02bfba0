import "server-only";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import type { V2ChatMapping } from "@/lib/runtime/v2/v2-chat-row";

/** A mapping with its line number in the file. */
export interface NumberedMapping {
  line: number;
  mapping: V2ChatMapping;
}

interface Stored {
  stored: number;
  refused: { line: number; message: string }[];
}

interface Known {
  chatIds: ReadonlySet<string>;
  lineIds: ReadonlyMap<string, string>;
}

/**
 * Stores mappings whose chat or line belongs to the account, and replaces earlier mappings of the same V2 chat. A chat
 * that was already opened for a mapping is kept. Runs in one transaction with its audit entry.
 */
export async function storeV2Chats(ctx: Context, rows: readonly NumberedMapping[]): Promise<Stored> {
  if (rows.length === 0) return { stored: 0, refused: [] };
  return transaction(async (tx) => {
    const known = await findKnown(tx, ctx, rows);
    const refused = rows.flatMap(({ line, mapping }) => {
      const message = findMappingError(mapping, known);
      return message === null ? [] : [{ line, message }];
    });
    const good = rows.filter(({ mapping }) => findMappingError(mapping, known) === null);

    // The last row of a V2 chat applies.
    const latest = new Map(good.map(({ mapping }) => [mapping.v2ChatId, mapping]));
    await upsert(tx, ctx, [...latest.values()], known);
    await recordAudit(tx, ctx, "v2_chats.imported", "account", ctx.account.id, { rows: good.length });

    return { stored: good.length, refused };
  });
}

const KNOWN_CHATS = statement(
  "known-chats",
  "select id from chats where account_id = :accountId and id = any(:ids::uuid[])",
);

const KNOWN_LINES = statement(
  "known-lines",
  `select id, phone_number from lines
  where account_id = :accountId and phone_number = any(:phoneNumbers::text[]) and released_at is null`,
);

async function findKnown(tx: Sql, ctx: Context, rows: readonly NumberedMapping[]): Promise<Known> {
  const mappings = rows.map(({ mapping }) => mapping);
  const chats = await tx.run(KNOWN_CHATS, {
    accountId: ctx.account.id,
    ids: mappings.flatMap(({ chatId }) => chatId ?? []),
  });
  const lines = await tx.run(KNOWN_LINES, {
    accountId: ctx.account.id,
    phoneNumbers: mappings.flatMap(({ line }) => line ?? []),
  });
  return {
    chatIds: new Set(chats.map(({ id }) => id)),
    lineIds: new Map(lines.map(({ id, phone_number }) => [phone_number, id])),
  };
}

function findMappingError({ chatId, line, handles }: V2ChatMapping, known: Known): string | null {
  if (chatId !== null && !known.chatIds.has(chatId)) return `the account has no chat ${chatId}`;
  if (line !== null && !known.lineIds.has(line)) return `${line} is not a line of this account`;
  return line !== null && handles.includes(line) ? "the handles can't contain the line" : null;
}

const UPSERT_V2_CHATS = statement(
  "upsert-v2-chats",
  `insert into v2_chats as known (account_id, v2_chat_id, chat_id, line_id, handles, imported_at)
  select :accountId, r.v2_chat_id, r.chat_id, r.line_id, coalesce(string_to_array(nullif(r.handles, ''), ' '), '{}'), :now
  from unnest(:v2ChatIds::bigint[], :chatIds::uuid[], :mappings::uuid[], :handles::text[]) as r(v2_chat_id, chat_id, line_id, handles)
  on conflict (account_id, v2_chat_id) do update set line_id = excluded.line_id, handles = excluded.handles,
    imported_at = excluded.imported_at, chat_id = case
      when excluded.chat_id is null and known.line_id = excluded.line_id and known.handles = excluded.handles
      then known.chat_id else excluded.chat_id end`,
);

async function upsert(
  tx: Sql,
  ctx: Context,
  mappings: readonly V2ChatMapping[],
  { lineIds }: Known,
): Promise<void> {
  await tx.run(UPSERT_V2_CHATS, {
    accountId: ctx.account.id,
    v2ChatIds: mappings.map(({ v2ChatId }) => v2ChatId),
    chatIds: mappings.map(({ chatId }) => chatId),
    mappings: mappings.map(({ line }) => (line === null ? null : (lineIds.get(line) ?? null))),
    handles: mappings.map(({ handles }) => handles.join(" ")),
    now: ctx.now,
  });
}
