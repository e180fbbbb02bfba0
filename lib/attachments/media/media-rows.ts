import "server-only";
import { ATTACHMENT_COLUMNS, type AttachmentRow, EPHEMERAL_HOURS } from "@/lib/attachments/attachment";
import { insertAttachments, type NewFile } from "@/lib/attachments/insert-attachments";
import { removeAttachment } from "@/lib/attachments/remove-attachment";
import type { Context } from "@/lib/platform/context";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { type AllBut, isJoined, type RowOf, statement } from "@/lib/platform/database/statement";
import { now } from "@/lib/platform/time/clock";

/** The target of a message: a chat, or the line of a chat that does not exist yet. */
export interface MediaTarget {
  chatId: string | null;
  lineId: string | null;
  idempotencyKey: string | null;
  /** The id of the message where it has one already, because it was scheduled. */
  messageId?: string | undefined;
}

/** The rows that a message with media needs before it is accepted. */
export interface FoundMedia {
  replayOf: string | null;
  /** null when the chat does not exist. */
  lineId: string | null;
  files: AttachmentRow[];
  /** The files that became ephemeral because the line is ephemeral. */
  tightened: readonly string[];
}

type FoundFile = AllBut<RowOf<"find-media-attachments">, "replay_of" | "line_id">;

const FIND_MEDIA_ATTACHMENTS = statement(
  "find-media-attachments",
  `with place as (
    select (select m.id from messages m where m.account_id = :accountId and m.idempotency_key = :idempotencyKey) as replay_of,
      coalesce(:lineId::uuid, (select c.line_id from chats c where c.account_id = :accountId and c.id = :chatId)) as line_id
  ), named as (
    select ${ATTACHMENT_COLUMNS} from attachments t join accounts a on a.id = t.account_id
    where t.account_id = :accountId and t.id = any(:attachmentIds::uuid[])
  ), tightened as (
    update attachments t set tier = 'ephemeral', expires_at = :now::timestamptz + interval '${EPHEMERAL_HOURS} hours'
    from place join lines l on l.account_id = :accountId and l.id = place.line_id and l.attachment_tier = 'ephemeral'
    where t.account_id = :accountId and t.id = any(:attachmentIds::uuid[]) and t.tier = 'persistent' and t.source <> 'image'
      and place.replay_of is null
    returning t.id
  ), used as (
    insert into attachment_uses (account_id, attachment_id, message_id)
    select :accountId, named.id, :usedBy::uuid from named, place
    where :usedBy::uuid is not null and place.replay_of is null and place.line_id is not null
    on conflict do nothing
  )
  select place.replay_of, place.line_id, named.*, tightened.id is not null as tightened
  from place left join named on true left join tightened on tightened.id = named.id`,
);

/**
 * Finds the named attachments of the account, the line, and an earlier message with the idempotency key. With `usedBy`,
 * records immediately that this message uses the attachments. A pre-upload that is sent over an ephemeral line becomes
 * ephemeral (docs/contract.md, section 10.4); `discardMedia` reverts this.
 */
export async function findMedia(
  ctx: Context,
  { chatId, lineId, idempotencyKey }: MediaTarget,
  { attachmentIds, usedBy }: { attachmentIds: readonly string[]; usedBy: string | null },
): Promise<FoundMedia> {
  const rows = await sql.run(FIND_MEDIA_ATTACHMENTS, {
    accountId: ctx.account.id,
    idempotencyKey,
    lineId,
    chatId,
    attachmentIds,
    usedBy,
    now: ctx.now,
  });
  const [first] = rows;
  return {
    replayOf: first?.replay_of ?? null,
    lineId: first?.line_id ?? null,
    files: rows.filter(isJoined<FoundFile>).map(withTier),
    tightened: rows.flatMap((row) => (row.id !== null && row.tightened === true ? [row.id] : [])),
  };
}

// The statement returns the rows as they were before its own update.
function withTier({ tightened, replay_of, line_id, ...row }: FoundFile): AttachmentRow {
  return tightened === true ? { ...row, tier: "ephemeral" } : row;
}

interface Downloads {
  lineId: string;
  messageId: string;
  /** Existing attachments that the message also uses. */
  kept: ReadonlyMap<string, AttachmentRow>;
  files: readonly NewFile[];
}

/**
 * Stores the rows of downloaded files and records that the message uses them. Returns the rows in the order of the
 * files.
 */
export async function insertDownloads(
  ctx: Context,
  { lineId, messageId, kept, files }: Downloads,
): Promise<AttachmentRow[]> {
  const accountId = ctx.account.id;
  return transaction(async (tx) => {
    const rows = await insertAttachments(tx, {
      accountId,
      lineId,
      source: "url",
      status: "complete",
      at: now(),
      files,
    });
    await recordFileUses(tx, accountId, messageId, [...kept.values(), ...rows]);
    return rows;
  });
}

const USE_ATTACHMENTS = statement(
  "use-attachments",
  `insert into attachment_uses (account_id, attachment_id, message_id)
  select :accountId, unnest(:fileIds::uuid[]), :messageId on conflict do nothing`,
);

/** Records that a message uses files. */
export async function recordFileUses(
  tx: Sql,
  accountId: string,
  messageId: string,
  files: readonly { id: string }[],
): Promise<void> {
  await tx.run(USE_ATTACHMENTS, { accountId, fileIds: files.map(({ id }) => id), messageId });
}

const UNUSE_ATTACHMENTS = statement(
  "unuse-attachments",
  `delete from attachment_uses u using unnest(:keptIds::uuid[]) as f(id)
  where u.account_id = :accountId and u.attachment_id = f.id and u.message_id = :messageId`,
);

/** Reverts all writes for a message that was not accepted: downloads, uses and changed tiers. */
export async function discardMedia(
  ctx: Context,
  messageId: string,
  {
    kept,
    downloaded,
    tightened,
  }: { kept: readonly AttachmentRow[]; downloaded: readonly AttachmentRow[]; tightened: readonly string[] },
): Promise<void> {
  for (const { account_id, id } of downloaded) {
    await removeAttachment({ accountId: account_id, attachmentId: id });
  }
  await sql.run(UNUSE_ATTACHMENTS, {
    accountId: ctx.account.id,
    keptIds: kept.map(({ id }) => id),
    messageId,
  });
  if (tightened.length > 0) await restoreTier(ctx, tightened);
}

const RELAX_ATTACHMENTS = statement(
  "relax-attachments",
  `update attachments t set tier = 'persistent', expires_at = null
  where t.account_id = :accountId and t.id = any(:attachmentIds::uuid[]) and not exists (
    select 1 from attachment_uses u where u.account_id = t.account_id and u.attachment_id = t.id)`,
);

// A file that another message uses by now remains ephemeral.
async function restoreTier(ctx: Context, attachmentIds: readonly string[]): Promise<void> {
  await sql.run(RELAX_ATTACHMENTS, { accountId: ctx.account.id, attachmentIds });
}
