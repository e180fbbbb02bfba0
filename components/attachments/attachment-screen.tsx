"use client";

import { useQuery } from "@tanstack/react-query";
import { AttachmentDetails } from "@/components/attachments/attachment-details";
import { AttachmentPreview } from "@/components/attachments/attachment-preview";
import { type AttachmentUse, AttachmentUses } from "@/components/attachments/attachment-uses";
import { ConfirmAction } from "@/components/data/dialogs/confirm-action";
import { RecordBadge } from "@/components/data/record-badge";
import { DetailsPage } from "@/components/details/details-page";
import { Alert, AlertDescription, AlertTitle } from "@/components/ui/alert";
import type { AttachmentView } from "@/lib/attachments/attachment-view";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";

type Shown = { attachment: AttachmentView; uses: AttachmentUse[] };

const PENDING_MS = 3000;
/** Signed URLs expire after 15 minutes, so the page refetches them earlier. */
const SIGNED_MS = 10 * 60_000;

/** A file's preview, properties and messages, with a delete button. */
export function AttachmentScreen({ initial, mayDelete }: { initial: Shown; mayDelete: boolean }) {
  const { id } = initial.attachment;
  const { data, error, refetch } = useQuery<Shown, ApiFailure>({
    queryKey: ["/api/attachments", "one", id],
    queryFn: ({ signal }) => apiFetch(`/api/attachments/${id}`, { signal }),
    initialData: initial,
    refetchInterval: ({ state }) => (state.data?.attachment.status === "pending" ? PENDING_MS : SIGNED_MS),
  });
  const { attachment: file, uses } = data;

  return (
    <DetailsPage
      title={file.filename}
      breadcrumbs={[{ label: "Attachments", href: "/attachments" }]}
      status={<RecordBadge kind="file" value={file.status} />}
      actions={
        mayDelete &&
        file.status !== "deleted" && (
          <ConfirmAction
            needsName
            label="Delete"
            name={`Delete ${file.filename}`}
            title="Delete this file?"
            description="All URLs of this file return 404 immediately. Messages keep its name and size, and the history records who deleted it. You can't undo this."
            confirm="Delete file"
            keep="Cancel"
            done="File deleted"
            failed="The file could not be deleted"
            action={() => apiFetch(`/api/attachments/${id}`, { method: "DELETE" })}
            onDone={() => void refetch()}
          />
        )
      }
      failure={error}
      onRetry={() => void refetch()}
    >
      <PaymentProgress file={file} />
      <div className="grid min-w-0 items-start gap-6 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-6">
          <AttachmentPreview file={file} />
          <AttachmentUses uses={uses} />
        </div>
        <AttachmentDetails file={file} />
      </div>
    </DetailsPage>
  );
}

const STATUS_FILTERS = {
  pending: "The content of this file has not been uploaded. Upload URLs expire after 15 minutes.",
  failed:
    "The uploaded content doesn't match the declared type, so Trunkline deleted it. Upload the file again with its actual type.",
  complete: "Recipients get this file in a format that some devices can't open.",
} as const;

function PaymentProgress({ file: { status, fault } }: { file: AttachmentView }) {
  if (status === "deleted" || (status === "complete" && fault === null)) return null;
  // The fault of a pending file says what to do.
  const isLost = status === "pending" && fault !== null;
  return (
    <Alert variant={status === "failed" || isLost ? "destructive" : "warning"}>
      {fault !== null && <AlertTitle className="first-letter:uppercase">{fault}</AlertTitle>}
      {!isLost && <AlertDescription>{STATUS_FILTERS[status]}</AlertDescription>}
    </Alert>
  );
}
