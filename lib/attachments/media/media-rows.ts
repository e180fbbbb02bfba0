import "server-only";
import { ATTACHMENT_COLUMNS, type AttachmentRow, EPHEMERAL_HOURS } from "@/lib/attachments/attachment";
import { insertAttachments, type NewFile } from "@/lib/attachments/insert-attachments";
import { removeAttachment } from "@/lib/attachments/remove-attachment";
import type { Context } from "@/lib/platform/context";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { now } from "@/lib/platform/time/clock";

/** The target of a message: a chat, or the line of a chat that does not exist yet. */
export interface MediaTarget {
  chatId: string | null;
  lineId: string | null;
  idempotencyKey: string | null;
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

type FoundRow = { replay_of: string | null; line_id: string | null; tightened: boolean | null } & (
  | AttachmentRow
  | { id: null }
);

/**
 * Finds the named attachments of the account, the line, and an earlier message with the idempotency key. With `usedBy`,
 * records immediately that this message uses the attachments. A pre-upload that is sent over an ephemeral line becomes
 * ephemeral (contract.md 0); `discardMedia` reverts this.
 */
export async function findMedia(
  ctx: Context,
  { chatId, lineId, idempotencyKey }: MediaTarget,
  { attachmentIds, usedBy }: { attachmentIds: readonly string[]; usedBy: string | null },
): Promise<FoundMedia> {
  const rows = await sql.query<FoundRow>({
    name: "find-media",
    text: `with place as (
             select (select m.id from messages m where m.account_id = $1 and m.idempotency_key = $2) as replay_of,
               coalesce($3::uuid, (select c.line_id from chats c where c.account_id = $1 and c.id = $4)) as line_id
           ), named as (
             select ${ATTACHMENT_COLUMNS} from attachments t join accounts a on a.id = t.account_id
             where t.account_id = $1 and t.id = any($5::uuid[])
           ), tightened as (
             update attachments t set tier = 'ephemeral', expires_at = $7::timestamptz + interval '${EPHEMERAL_HOURS} hours'
             from place join lines l on l.account_id = $1 and l.id = place.line_id and l.attachment_tier = 'ephemeral'
             where t.account_id = $1 and t.id = any($5::uuid[]) and t.tier = 'persistent' and t.source <> 'image'
               and place.replay_of is null
             returning t.id
           ), used as (
             insert into attachment_uses (account_id, attachment_id, message_id)
             select $1, named.id, $6::uuid from named, place
             where $6::uuid is not null and place.replay_of is null and place.line_id is not null
           )
           select place.replay_of, place.line_id, named.*, tightened.id is not null as tightened
           from place left join named on true left join tightened on tightened.id = named.id`,
    values: [ctx.account.id, idempotencyKey, lineId, chatId, attachmentIds, usedBy, ctx.now],
  });
  const [first] = rows;
  return {
    replayOf: first?.replay_of ?? null,
    lineId: first?.line_id ?? null,
    files: rows.filter((row) => row.id !== null).map(withTier),
    tightened: rows.flatMap((row) => (row.id !== null && row.tightened === true ? [row.id] : [])),
  };
}

// The statement returns the rows as they were before its own update.
function withTier({ tightened, replay_of, line_id, ...row }: FoundRow & AttachmentRow): AttachmentRow {
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

/** Records that a message uses files. */
export async function recordFileUses(
  tx: Sql,
  accountId: string,
  messageId: string,
  files: readonly { id: string }[],
): Promise<void> {
  await tx.query({
    name: "use-attachments",
    text: `insert into attachment_uses (account_id, attachment_id, message_id)
           select $1, unnest($2::uuid[]), $3`,
    values: [accountId, files.map(({ id }) => id), messageId],
  });
}

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
  await sql.query({
    name: "unuse-attachments",
    text: `delete from attachment_uses u using unnest($2::uuid[]) as f(id)
           where u.account_id = $1 and u.attachment_id = f.id and u.message_id = $3`,
    values: [ctx.account.id, kept.map(({ id }) => id), messageId],
  });
  if (tightened.length > 0) await restoreTier(ctx, tightened);
}

// A file that another message uses by now remains ephemeral.
async function restoreTier(ctx: Context, attachmentIds: readonly string[]): Promise<void> {
  await sql.query({
    name: "relax-attachments",
    text: `update attachments t set tier = 'persistent', expires_at = null
           where t.account_id = $1 and t.id = any($2::uuid[]) and not exists (
             select 1 from attachment_uses u where u.account_id = t.account_id and u.attachment_id = t.id)`,
    values: [ctx.account.id, attachmentIds],
  });
}
