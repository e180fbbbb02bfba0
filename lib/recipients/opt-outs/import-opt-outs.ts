import "server-only";
import { z } from "zod";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { Handle } from "@/lib/platform/text/phone-handle";
import { normalizeHandle } from "@/lib/recipients/handles/normalize-handle";
import { ImportResult, importBatch, inLockOrder } from "@/lib/recipients/imports/import-batch";
import {
  type ImportPreview,
  type ImportRules,
  type PreviewOptOutImport,
  previewImport,
} from "@/lib/recipients/imports/preview-import";
import { lockOptOut, optOutManually } from "@/lib/recipients/opt-outs/change-opt-out";

const ImportedHandle = z.string().transform(normalizeHandle).pipe(Handle);

export const ImportOptOuts = contract({
  summary: "Import a batch of opt-outs",
  tag: "Opt-outs",
  right: "decide_opt_outs",
  body: importBatch(ImportedHandle),
  returns: ImportResult,
  status: 200,
  errors: ["access_denied", "field_missing", "parameter_invalid", "phone_not_e164"],
});

const RULES: ImportRules = {
  handle: ImportedHandle,
  invalid: "Not a phone number with a country code, for example +15550100101, and not an email address.",
  listed: "The handle is already opted out.",
  findListed,
};

/** Says for each row of a CSV file whether it would opt a handle out. Errors: parameter_invalid. */
export function previewOptOutImport(
  ctx: Context,
  { body }: Pick<Input<typeof PreviewOptOutImport>, "body">,
): Promise<ImportPreview> {
  return previewImport(ctx, body.csv, RULES);
}

/**
 * Opts every handle of a batch out, all or none, with the file as evidence. Handles that are already opted out keep
 * their evidence, so a repeated request changes nothing.
 */
export async function importOptOuts(
  ctx: Context,
  { body }: Pick<Input<typeof ImportOptOuts>, "body">,
): Promise<z.infer<typeof ImportResult>> {
  const { filename, rows } = body;
  return transaction(async (tx) => {
    let added = 0;
    for (const { handle, note = null } of inLockOrder(rows)) {
      if (await lockOptOut(tx, ctx, handle)) continue;
      await optOutManually(tx, ctx, { handle, chatId: null, messageId: null, sourceFile: filename });
      await recordAudit(tx, ctx, "opt_out.set", "handle", handle, { note, filename });
      added++;
    }
    return { added, listed: rows.length - added };
  });
}

const FIND_OPTED_OUT_HANDLES = statement(
  "find-opted-out-handles",
  `select handle from contacts
  where account_id = :accountId and handle = any(:handles::text[]) and opted_out_at is not null`,
);

async function findListed(ctx: Context, handles: readonly string[]): Promise<string[]> {
  const rows = await sql.run(FIND_OPTED_OUT_HANDLES, { accountId: ctx.account.id, handles });
  return rows.map(({ handle }) => handle);
}
