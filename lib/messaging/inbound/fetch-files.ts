import "server-only";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { allTransports, transportOf } from "@/lib/adapters/transports/registry";
import type { NewFile } from "@/lib/attachments/insert-attachments";
import { storeReceivedFile } from "@/lib/attachments/store/store-received-file";
import { isSendableHereSql, sessionParameters } from "@/lib/lines/connections/held-sessions";
import { openConnection } from "@/lib/lines/connections/line-connection";
import { openSource } from "@/lib/messaging/inbound/awaited-files";
import { endAwaited } from "@/lib/messaging/inbound/end-awaited";
import { sql } from "@/lib/platform/database/db";
import { type Queue, startQueue } from "@/lib/platform/database/queue";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { ApiError } from "@/lib/platform/errors/errors";
import { log } from "@/lib/platform/telemetry/log";
import { clockParameters, platformNowSql } from "@/lib/platform/time/clock";

const CONCURRENCY = 4;
const POLL_MS = 5000;
/** Of a file whose vendor did not say what it is. Its name got the ending "bin", and gets the right one with its bytes. */
const UNKNOWN_TYPE = "application/octet-stream";
const LEASE_SECONDS = 120;
const FETCH_MS = 90_000;

/** The pauses between attempts. Files from iCloud or a slow vendor come within minutes, some within a day. */
const PAUSES_SECONDS = [5, 15, 60, 300, 900, 3600, 3 * 3600, 6 * 3600, 12 * 3600];

/** A file that this process fetches until its lease ends. */
type AwaitedFile = RowOf<"claim-awaited-files">;

/**
 * Fetches the files of inbound messages that could not be had when the messages came, with growing pauses for about a
 * day. Then a file is marked as failed, and its message says that it is missing.
 */
export function startFileFetches(): Queue {
  return startQueue<AwaitedFile>({
    name: "awaited-files",
    topic: "files",
    most: CONCURRENCY,
    pollMs: POLL_MS,
    claim: claimAwaited,
    handle: fetchAwaited,
  });
}

const NOW = platformNowSql();

const CLAIM_AWAITED_FILES = statement(
  "claim-awaited-files",
  `update awaited_files w set lease_until = clock_timestamp() + interval '${LEASE_SECONDS} seconds'
  from (
    select w.account_id, w.attachment_id from awaited_files w
    join lines l on l.account_id = w.account_id and l.id = w.line_id
    where w.due_at <= ${NOW} and (w.lease_until is null or w.lease_until < clock_timestamp())
      and l.transport = any(:names::text[]) and ${isSendableHereSql("l")}
    order by w.due_at limit :limit for update of w skip locked
  ) due
  join attachments t on t.account_id = due.account_id and t.id = due.attachment_id
  join lines l on l.account_id = t.account_id and l.id = t.line_id
  where w.account_id = due.account_id and w.attachment_id = due.attachment_id
  returning w.account_id, w.attachment_id, w.line_id, w.message_id, w.source, w.attempts, t.filename,
    t.content_type, t.size_bytes, l.phone_number, l.line_type, l.transport, l.connection`,
);

function claimAwaited(limit: number): Promise<AwaitedFile[]> {
  const names = allTransports().map(({ name }) => name);
  return sql.run(CLAIM_AWAITED_FILES, { ...clockParameters(), limit, ...sessionParameters(), names });
}

const POSTPONE_AWAITED_FILE = statement(
  "postpone-awaited-file",
  `update awaited_files set attempts = attempts + 1, lease_until = null,
    due_at = ${NOW} + make_interval(secs => :pause)
  where account_id = :accountId and attachment_id = :attachmentId`,
);

async function fetchAwaited(file: AwaitedFile): Promise<void> {
  try {
    await endAwaited(file, await fetchFile(file));
  } catch (error) {
    const pause = PAUSES_SECONDS[file.attempts];
    const isFinal = pause === undefined || isGone(error);
    log.warn(
      { attachmentId: file.attachment_id, attempts: file.attempts + 1, isFinal },
      "an inbound file is still late",
    );
    if (isFinal) return endAwaited(file, null, error instanceof ApiError ? error.row.message : undefined);
    await sql.run(POSTPONE_AWAITED_FILE, {
      ...clockParameters(),
      pause,
      accountId: file.account_id,
      attachmentId: file.attachment_id,
    });
  }
}

async function fetchFile(file: AwaitedFile): Promise<NewFile> {
  const { account_id: accountId, attachment_id: id } = file;
  const line: LineRef = {
    accountId,
    id: file.line_id,
    phoneNumber: file.phone_number,
    lineType: file.line_type,
  };
  const { transport, source } = openSource(accountId, id, file.source);
  const { openFile } = transportOf(file.transport);
  if (transport !== file.transport || openFile === undefined) {
    throw new Error(`the line can't fetch files over ${transport} now`);
  }
  const connection = file.connection === null ? {} : openConnection(line, file.connection);
  return storeReceivedFile(
    accountId,
    {
      filename: file.content_type === UNKNOWN_TYPE ? file.filename.replace(/\.bin$/, "") : file.filename,
      mimeType: file.content_type,
      open: (signal = AbortSignal.timeout(FETCH_MS)) => openFile(line, connection, source, signal),
    },
    { signal: AbortSignal.timeout(FETCH_MS), id },
  );
}

// A file that is too large stays so; an empty one may still be written.
function isGone(error: unknown): boolean {
  if (error instanceof ApiError) return error.errorName === "file_too_large";
  return error instanceof AdapterError && error.kind === "rejected";
}
