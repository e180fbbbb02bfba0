import "server-only";
import { DeleteAttachment, deleteAttachment } from "@/lib/attachments/delete-attachment";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { requireRight } from "@/lib/platform/role-rights";

export const DeleteByHand = contract({
  ...DeleteAttachment,
  summary: "Delete an attachment as a person",
  errors: [...DeleteAttachment.errors, "access_denied"],
});

/** As `deleteAttachment`, by a person whose role allows it. Errors: as `deleteAttachment`; access_denied. */
export async function deleteByHand(ctx: Context, input: Input<typeof DeleteByHand>): Promise<undefined> {
  requireRight(ctx, "manage_attachments");
  return deleteAttachment(ctx, input);
}
