import { AttachmentView } from "@/components/attachments/attachment-view";
import { showAttachment } from "@/lib/attachments/files/show-attachment";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { findOrNotFound } from "@/lib/runtime/dashboard/find-or-not-found";

export const metadata = { title: "Attachment" };

type AttachmentPageProps = { params: Promise<{ attachmentId: string }> };

export default async function AttachmentPage({ params }: AttachmentPageProps) {
  const { attachmentId } = await params;
  const { ctx, may } = await requireAccount("view_chats");
  return (
    <AttachmentView
      key={attachmentId}
      initial={await findOrNotFound(attachmentId, () => showAttachment(ctx, { params: { attachmentId } }))}
      mayDelete={may("manage_attachments")}
    />
  );
}
