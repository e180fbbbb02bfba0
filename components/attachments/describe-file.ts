import { AudioLines, File, FileText, Film, Image, type LucideIcon } from "lucide-react";
import type { ListedAttachment } from "@/lib/attachments/listed-attachment";

/** What the kinds of files are called. */
export const FAMILIES: Readonly<Record<ListedAttachment["family"], { label: string; icon: LucideIcon }>> = {
  image: { label: "Images", icon: Image },
  video: { label: "Videos", icon: Film },
  audio: { label: "Audio", icon: AudioLines },
  document: { label: "Documents and others", icon: FileText },
};

/** Which way a file went. */
export const DIRECTIONS: Readonly<Record<NonNullable<ListedAttachment["direction"]>, string>> = {
  received: "Received",
  sent: "Sent",
  uploaded: "Uploaded",
  image: "Card, group or checkout",
};

export const TIERS: Readonly<Record<NonNullable<ListedAttachment["tier"]>, string>> = {
  persistent: "Persistent",
  ephemeral: "Ephemeral",
};

/** The icon of a kind; of one that is not known, a plain file. */
export function familyIcon(family: string): LucideIcon {
  return Object.entries(FAMILIES).find(([name]) => name === family)?.[1].icon ?? File;
}
