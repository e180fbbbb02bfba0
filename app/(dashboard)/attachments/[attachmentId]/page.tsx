import { notFound } from "next/navigation";
import { z } from "zod";
import { AttachmentView } from "@/components/attachments/attachment-view";
import { showAttachment } from "@/lib/attachments/show-attachment";
import type { Context } from "@/lib/platform/context";
import { ApiError } from "@/lib/platform/errors";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";

export const metadata = { title: "Attachment" };

type AttachmentPageProps = { params: Promise<{ attachmentId: string }> };

export default async function AttachmentPage({ params }: AttachmentPageProps) {
  const { attachmentId } = await params;
  const { ctx, may } = await requireAccount("view_chats");
  return (
    <AttachmentView
      key={attachmentId}
      initial={await find(ctx, attachmentId)}
      mayDelete={may("manage_attachments")}
    />
  );
}

async function find(ctx: Context, attachmentId: string) {
  if (!z.uuid().safeParse(attachmentId).success) notFound();
  return showAttachment(ctx, { params: { attachmentId } }).catch((error: unknown) => {
    if (error instanceof ApiError) notFound();
    throw error;
  });
}
