import "server-only";
import { makeZip } from "client-zip";
import { objectStore } from "@/lib/adapters/storage/registry";
import { objectKey } from "@/lib/attachments/attachment";
import { now } from "@/lib/platform/time/clock";
import { EXPORTED_TABLES, type ExportedTable } from "@/lib/privacy/export/exported-tables";
import { type ExportScope, readRows } from "@/lib/privacy/export/read-rows";

const FORMAT = "trunkline-export-1";

interface ArchiveFile {
  name: string;
  content: AsyncGenerator<Uint8Array>;
}

/** Content of an archive, at its end. */
interface Manifest {
  format: typeof FORMAT;
  account_id: string;
  handle: string | null;
  started_at: string;
  ended_at: string;
  /** Rows by file. */
  rows: Record<string, number>;
  files: number;
  /** The IDs of attachments whose bytes are not stored, such as announced uploads. */
  files_without_content: string[];
}

/**
 * Creates the archive of a person or of an account: a ZIP with a JSONL file for each table, the files of attachments,
 * and a manifest. The archive is made as fast as it is read, with one page of rows or one chunk of a file in memory.
 * Every file is read in the order of its key, and no file is a snapshot: rows that are written meanwhile may be missing.
 * Canceling the stream ends all reading.
 */
export function exportArchive(scope: ExportScope): ReadableStream<Uint8Array> {
  const archive = archiveFiles(scope);
  let open: AsyncGenerator<Uint8Array> | null = null;
  async function* entries() {
    for await (const { name, content } of archive) {
      open = content;
      yield { name, input: content, lastModified: now() };
    }
  }
  const reader = makeZip(entries()).getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel(reason) {
      await reader.cancel(reason).catch(() => undefined);
      await open?.return(undefined);
      await archive.return(undefined);
    },
  });
}

async function* archiveFiles(scope: ExportScope): AsyncGenerator<ArchiveFile> {
  const manifest: Manifest = {
    format: FORMAT,
    account_id: scope.accountId,
    handle: scope.handle,
    started_at: now().toISOString(),
    ended_at: "",
    rows: {},
    files: 0,
    files_without_content: [],
  };
  for (const table of tablesOf(scope)) {
    yield { name: `${table.table}.jsonl`, content: toLines(scope, table, manifest) };
  }
  yield* attachedFiles(scope, manifest);
  yield { name: "manifest.json", content: toJson(manifest) };
}

/** The tables of an archive. */
export function tablesOf({ handle }: ExportScope): readonly ExportedTable[] {
  return handle === null ? EXPORTED_TABLES : EXPORTED_TABLES.filter(({ ofPerson }) => ofPerson !== undefined);
}

async function* toLines(
  scope: ExportScope,
  table: ExportedTable,
  { rows }: Manifest,
): AsyncGenerator<Uint8Array> {
  rows[table.table] = 0;
  for await (const page of readRows(scope, table)) {
    rows[table.table] = (rows[table.table] ?? 0) + page.length;
    yield Buffer.from(page.map((row) => `${JSON.stringify(row)}\n`).join(""));
  }
}

async function* attachedFiles(scope: ExportScope, manifest: Manifest): AsyncGenerator<ArchiveFile> {
  const attachments = EXPORTED_TABLES.find(({ table }) => table === "attachments");
  if (attachments === undefined) throw new Error("an archive contains attachments");
  for await (const page of readRows(scope, attachments)) {
    for (const { id, filename } of page) {
      const attachmentId = String(id);
      const found = await objectStore().get(objectKey({ accountId: scope.accountId, attachmentId }));
      if (found === null) {
        manifest.files_without_content.push(attachmentId);
        continue;
      }
      manifest.files++;
      const safeName = String(filename).replaceAll(/[\\/]/g, "_");
      yield { name: `files/${attachmentId}/${safeName}`, content: toChunks(found.body) };
    }
  }
}

async function* toChunks(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* body;
}

// Written last, when everything was counted.
async function* toJson(manifest: Manifest): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${JSON.stringify({ ...manifest, ended_at: now().toISOString() }, null, 2)}\n`);
}
