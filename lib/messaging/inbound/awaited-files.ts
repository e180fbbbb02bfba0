import "server-only";
import type { LineRef } from "@/lib/adapters/transports/refs";
import type { NewFile } from "@/lib/attachments/insert-attachments";
import { type SealContext, seal, unseal } from "@/lib/platform/crypto/crypto";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

/** Where a file comes from: the transport that reported it, and the transport's reference. */
interface FileSource {
  transport: string;
  source: string;
}

/** The seal context of a file's source, which may be a URL with a secret in it. */
export function sourceContext(accountId: string, attachmentId: string): SealContext {
  return { purpose: "awaited-file", row: { accountId, id: attachmentId } };
}

/** Reads where a file comes from. Throws UnreadableSecret. */
export function openSource(accountId: string, attachmentId: string, sealed: Uint8Array): FileSource {
  return JSON.parse(unseal(sealed, sourceContext(accountId, attachmentId)));
}

const NOTE_LATE_FILES = statement(
  "note-late-files",
  `update attachments t set fault = f.fault from unnest(:fileIds::uuid[], :faults::text[]) as f(id, fault)
  where t.account_id = :accountId and t.id = f.id`,
);

const TRANSPORT_OF_LINE = statement(
  "transport-of-line",
  "select transport from lines where account_id = :accountId and id = :lineId",
);

const AWAIT_FILES = statement(
  "await-files",
  `insert into awaited_files (account_id, attachment_id, line_id, message_id, source, due_at)
  select :accountId, f.id, :lineId, :messageId, f.source, :at from unnest(:comingIds::uuid[], :seals::bytea[]) as f(id, source)`,
);

/**
 * Records the late files of a message, whose rows are stored: those with a source are fetched by `startFileFetches`, and
 * of the others the row says why there are none.
 */
export async function awaitFiles(
  tx: Sql,
  { line: { accountId, id: lineId }, messageId, at }: { line: LineRef; messageId: string; at: Date },
  files: readonly (Pick<NewFile, "id"> & { source: string | null; fault: string })[],
): Promise<void> {
  if (files.length === 0) return;
  await tx.run(NOTE_LATE_FILES, {
    accountId,
    fileIds: files.map(({ id }) => id),
    faults: files.map(({ fault }) => fault),
  });
  const coming = files.flatMap(({ id, source }) => (source === null ? [] : [{ id, source }]));
  if (coming.length === 0) return;
  const [line] = await tx.run(TRANSPORT_OF_LINE, { accountId, lineId });
  const transport = line?.transport ?? "";
  await tx.run(AWAIT_FILES, {
    accountId,
    lineId,
    messageId,
    comingIds: coming.map(({ id }) => id),
    seals: coming.map(({ id, source }) =>
      seal(JSON.stringify({ transport, source }), sourceContext(accountId, id)),
    ),
    at,
  });
  tx.wake("files");
}
