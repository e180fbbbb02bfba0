import Link from "next/link";
import type { ReactNode } from "react";
import { AttachmentThumbnail } from "@/components/attachments/attachment-thumbnail";
import { DIRECTIONS, TIERS } from "@/components/attachments/describe-file";
import { type DataColumn, DataTable } from "@/components/data/data-table";
import { formatBytes } from "@/components/data/format-bytes";
import { None } from "@/components/data/none";
import { StatusBadge } from "@/components/data/status-badge";
import { Timestamp } from "@/components/data/timestamp";
import type { ListedAttachment } from "@/lib/attachments/listed-attachment";

const columns: DataColumn<ListedAttachment>[] = [
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
        <StatusBadge kind="file" value={status} />
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
  { key: "tier", header: "Tier", cell: (file) => <Tier file={file} /> },
  { key: "created", header: "Created", cell: ({ created_at }) => <Timestamp value={created_at} /> },
];

type AttachmentTableProps = { attachments: ListedAttachment[]; empty?: ReactNode; loadingRows?: number };

/** Files as rows that lead to their details. */
export function AttachmentTable({ attachments, ...rest }: AttachmentTableProps) {
  return (
    <DataTable
      label="Attachments"
      columns={columns}
      rows={attachments}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `/attachments/${id}`}
      {...rest}
    />
  );
}

function Direction({ file: { direction, message } }: { file: ListedAttachment }) {
  if (direction === null) return <None />;
  if (message === null) return DIRECTIONS[direction];
  return (
    <Link href={`/chats/${message.chat_id}`} className="underline underline-offset-4">
      {DIRECTIONS[direction]}
      <span className="sr-only">: open the chat</span>
    </Link>
  );
}

function Tier({ file: { tier, expires_at, status } }: { file: ListedAttachment }) {
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
