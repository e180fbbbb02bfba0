"use client";

import { useQuery } from "@tanstack/react-query";
import { AttachmentDetails } from "@/components/attachments/attachment-details";
import { AttachmentPreview } from "@/components/attachments/attachment-preview";
import { type AttachmentUse, AttachmentUses } from "@/components/attachments/attachment-uses";
import { ConfirmAction } from "@/components/data/confirm-action";
import { StatusBadge } from "@/components/data/status-badge";
import { DetailsPage } from "@/components/details/details-page";
import { Alert, AlertDescription, AlertTitle } from "@/components/ui/alert";
import type { ListedAttachment } from "@/lib/attachments/listed-attachment";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";

type Shown = { attachment: ListedAttachment; uses: AttachmentUse[] };

const PENDING_MS = 3000;
/** Signed addresses live for 15 minutes: the page always has one that opens. */
const SIGNED_MS = 10 * 60_000;

/** One file: what it is, how it looks, where it is shown; deleted from here too. */
export function AttachmentView({ initial, mayDelete }: { initial: Shown; mayDelete: boolean }) {
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
      status={<StatusBadge kind="file" value={file.status} />}
      actions={
        mayDelete &&
        file.status !== "deleted" && (
          <ConfirmAction
            label="Delete"
            name={`Delete ${file.filename}`}
            title="Delete this file?"
            description="Its addresses answer 404 at once. Messages keep its name and size, and it is on record that you deleted it. It cannot be brought back."
            confirm="Delete the file"
            keep="Keep it"
            done="The file is deleted"
            failed="The file was not deleted"
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

const STANDINGS = {
  pending: "Its bytes have not come yet. The upload address was good for 15 minutes after it was announced.",
  failed:
    "What was uploaded is not what was announced, so it was thrown away. Upload it again, with its real type.",
  complete: "People get it in a form that some devices cannot open.",
} as const;

function PaymentProgress({ file: { status, fault } }: { file: ListedAttachment }) {
  if (status === "deleted" || (status === "complete" && fault === null)) return null;
  return (
    <Alert variant={status === "failed" ? "destructive" : "warning"}>
      {fault !== null && <AlertTitle className="first-letter:uppercase">{fault}</AlertTitle>}
      <AlertDescription>{STANDINGS[status]}</AlertDescription>
    </Alert>
  );
}
