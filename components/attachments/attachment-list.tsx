"use client";

import { Paperclip } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { AttachmentThumbnail } from "@/components/attachments/attachment-thumbnail";
import { AttachmentTotals } from "@/components/attachments/attachment-totals";
import { DIRECTIONS, TIERS } from "@/components/attachments/describe-file";
import { UploadButton } from "@/components/attachments/upload-button";
import { useUploadsShown } from "@/components/attachments/use-uploads-shown";
import { useFileDrop } from "@/components/composer/files/use-file-drop";
import { CodeTabs } from "@/components/data/copy/code-tabs";
import type { DataColumn } from "@/components/data/data-table";
import { formatBytes } from "@/components/data/format-bytes";
import { None } from "@/components/data/none";
import { RecordBadge } from "@/components/data/record-badge";
import { Timestamp } from "@/components/data/time/timestamp";
import { untilLoaded } from "@/components/data/until-loaded";
import { ListScreen } from "@/components/list/list-screen";
import { uploadSnippets } from "@/components/snippets/upload-snippets";
import type { AttachmentView } from "@/lib/attachments/attachment-view";
import type { StoredTotal } from "@/lib/attachments/files/total-attachments";
import type { LoadedSearch } from "@/lib/client/filters";
import { cn } from "@/lib/cn";
import type { ListTotal } from "@/lib/platform/lists/total-of";

// Loaded with the first file.
const UploadList = dynamic(
  () => untilLoaded(async () => (await import("@/components/composer/files/upload-list")).UploadList),
  {
    loading: () => null,
  },
);

/** The list also polls, because uploads emit no event. */
const LIVE = { types: ["message.received", "message.sent"], everyMs: 10_000 };

const columns: DataColumn<AttachmentView>[] = [
  {
    key: "file",
    header: "File",
    className: "sm:max-w-72",
    cell: (file) => (
      <span className="flex min-w-0 items-center gap-3">
        <AttachmentThumbnail key={file.status} file={file} />
        <span className="flex min-w-0 flex-col">
          <span className="wrap-anywhere line-clamp-2" title={file.filename}>
            {file.filename}
          </span>
          <span className="truncate font-normal text-muted-foreground text-xs">{file.content_type}</span>
        </span>
      </span>
    ),
  },
  {
    key: "status",
    header: "Status",
    cell: ({ status, fault }) => (
      <span className="flex flex-col items-start gap-1 max-sm:items-end max-sm:text-right">
        <RecordBadge kind="file" value={status} />
        {fault !== null && (
          <span className="line-clamp-3 max-w-48 whitespace-normal text-muted-foreground text-xs">
            {fault}
          </span>
        )}
      </span>
    ),
  },
  {
    key: "size",
    header: "Size",
    align: "number",
    className: "whitespace-nowrap",
    cell: ({ size_bytes }) => (size_bytes === null ? <None /> : formatBytes(size_bytes)),
  },
  { key: "direction", header: "Direction", cell: (file) => <Direction file={file} /> },
  {
    key: "line",
    header: "Line",
    className: "whitespace-nowrap tabular-nums max-xl:hidden",
    cell: ({ line }) => line ?? <None />,
  },
  { key: "tier", header: "Kept as", cell: (file) => <Tier file={file} /> },
  { key: "created", header: "Created", cell: ({ created_at }) => <Timestamp value={created_at} /> },
];

type AttachmentListProps = {
  found?: LoadedSearch<{ attachments: AttachmentView[]; next_cursor: string | null; total: ListTotal }>;
  totals?: StoredTotal[];
  mayUpload?: boolean;
  baseUrl?: string;
};

/** The account's files, the storage they use, and uploads in progress. */
export function AttachmentList({ found, totals = [], mayUpload = false, baseUrl = "" }: AttachmentListProps) {
  const { uploads, add, remove, retry } = useUploadsShown();
  const isOver = useFileDrop(mayUpload, add);

  return (
    <div
      className={cn(
        "flex min-w-0 flex-col gap-3 rounded-xl",
        isOver && "outline-2 outline-brand outline-dashed outline-offset-8",
      )}
    >
      {uploads.length > 0 && <UploadList uploads={uploads} onRemove={remove} onRetry={retry} />}
      <ListScreen
        found={found}
        label="Attachments"
        noun={{ one: "file", many: "files" }}
        rowsOf={(page) => page.attachments}
        columns={columns}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/attachments/${id}`}
        live={LIVE}
        summary={() => <AttachmentTotals initial={totals} />}
        actions={mayUpload && <UploadButton onChoose={add} />}
        empty={{
          icon: Paperclip,
          title: "No files yet",
          description: (
            <>
              Files that you receive or upload appear here. Upload a file here or with the API.{" "}
              <Link href="/docs/guides/attachments" className="underline underline-offset-4">
                How long files are kept
              </Link>
            </>
          ),
          below: <CodeTabs label="upload a file" snippets={uploadSnippets({ baseUrl })} />,
        }}
      />
    </div>
  );
}

function Direction({ file: { direction, message } }: { file: AttachmentView }) {
  if (direction === null) return <None />;
  if (message === null) return DIRECTIONS[direction];
  return (
    <Link href={`/chats/${message.chat_id}`} className="underline underline-offset-4">
      {DIRECTIONS[direction]}
      <span className="sr-only">: open chat</span>
    </Link>
  );
}

function Tier({ file: { tier, expires_at, status } }: { file: AttachmentView }) {
  if (tier === null) return <None />;
  if (expires_at === null || status === "deleted") return TIERS[tier];
  return (
    <span className="flex flex-col max-sm:items-end">
      {TIERS[tier]}
      <span className="whitespace-nowrap text-muted-foreground text-xs">
        until <Timestamp value={expires_at} format="clock" />
      </span>
    </span>
  );
}
