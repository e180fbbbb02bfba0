import { AudioLines, File, FileText, Film, Image, type LucideIcon } from "lucide-react";
import type { AttachmentView } from "@/lib/attachments/attachment-view";

/** The label and icon of each file type. */
export const FAMILIES: Readonly<Record<AttachmentView["family"], { label: string; icon: LucideIcon }>> = {
  image: { label: "Images", icon: Image },
  video: { label: "Videos", icon: Film },
  audio: { label: "Audio", icon: AudioLines },
  document: { label: "Documents and other files", icon: FileText },
};

/** The labels of file directions. */
export const DIRECTIONS: Readonly<Record<NonNullable<AttachmentView["direction"]>, string>> = {
  received: "Received",
  sent: "Sent",
  uploaded: "Uploaded",
  image: "Contact card, group or checkout",
};

export const TIERS: Readonly<Record<NonNullable<AttachmentView["tier"]>, string>> = {
  persistent: "Persistent",
  ephemeral: "Ephemeral",
};

/** The icon of a file type; a generic file icon for unknown types. */
export function familyIcon(family: string): LucideIcon {
  return Object.entries(FAMILIES).find(([name]) => name === family)?.[1].icon ?? File;
}
