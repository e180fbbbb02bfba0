import { cache } from "react";
import { AttachmentScreen } from "@/components/attachments/attachment-screen";
import { getAttachmentView } from "@/lib/attachments/files/get-attachment-view";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { findOrNotFound } from "@/lib/runtime/dashboard/find-or-not-found";

type AttachmentPageProps = { params: Promise<{ attachmentId: string }> };

const readAttachment = cache(async (attachmentId: string) => {
  const { ctx } = await requireAccount("view_chats");
  return findOrNotFound(attachmentId, () => getAttachmentView(ctx, { params: { attachmentId } }));
});

export async function generateMetadata({ params }: AttachmentPageProps) {
  const { attachment } = await readAttachment((await params).attachmentId);
  return { title: attachment.filename };
}

export default async function AttachmentPage({ params }: AttachmentPageProps) {
  const { attachmentId } = await params;
  const { may } = await requireAccount("view_chats");
  return (
    <AttachmentScreen
      key={attachmentId}
      initial={await readAttachment(attachmentId)}
      mayDelete={may("manage_attachments")}
    />
  );
}
