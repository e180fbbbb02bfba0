import "server-only";
import type { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { blockOnce } from "@/lib/recipients/blocks/block-handle";
import { BlockableHandle } from "@/lib/recipients/blocks/blocked-handle";
import { ImportResult, importBatch, inLockOrder } from "@/lib/recipients/imports/import-batch";
import {
  type ImportPreview,
  type ImportRules,
  type PreviewBlockImport,
  previewImport,
} from "@/lib/recipients/imports/preview-import";

export const ImportBlocks = contract({
  summary: "Import a batch of blocked handles",
  tag: "Blocked handles",
  right: "manage_blocks",
  body: importBatch(BlockableHandle),
  returns: ImportResult,
  status: 200,
  errors: ["access_denied", "field_missing", "parameter_invalid"],
});

const RULES: ImportRules = {
  handle: BlockableHandle,
  invalid:
    "Not a phone number with a country code, for example +15550100101, and not an email address, a short code or the name of a sender.",
  listed: "The handle is already blocked.",
  findListed,
};

/** Says for each row of a CSV file whether it would block a handle. Errors: parameter_invalid. */
export function previewBlockImport(
  ctx: Context,
  { body }: Pick<Input<typeof PreviewBlockImport>, "body">,
): Promise<ImportPreview> {
  return previewImport(ctx, body.csv, RULES);
}

/**
 * Blocks every handle of a batch, all or none. Handles that are already blocked keep their entry, so a repeated request
 * changes nothing.
 */
export async function importBlocks(
  ctx: Context,
  { body }: Pick<Input<typeof ImportBlocks>, "body">,
): Promise<z.infer<typeof ImportResult>> {
  const { filename, rows } = body;
  return transaction(async (tx) => {
    let added = 0;
    for (const { handle, note } of inLockOrder(rows)) {
      const blocked = await blockOnce(tx, ctx, { handle, reason: note || null, filename });
      if (blocked !== undefined) added++;
    }
    return { added, listed: rows.length - added };
  });
}

const FIND_BLOCKED_HANDLES = statement(
  "find-blocked-handles",
  `select handle from contacts
  where account_id = :accountId and handle = any(:handles::text[]) and blocked_at is not null`,
);

async function findListed(ctx: Context, handles: readonly string[]): Promise<string[]> {
  const rows = await sql.run(FIND_BLOCKED_HANDLES, { accountId: ctx.account.id, handles });
  return rows.map(({ handle }) => handle);
}
