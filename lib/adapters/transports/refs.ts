import "server-only";
import type { ServiceType } from "@/lib/platform/prisma/enums";

/** A line as its transport identifies it. */
export interface LineRef {
  accountId: string;
  id: string;
  phoneNumber: string;
  /** iMessage or RCS: the best service the line itself can send. */
  lineType: ServiceType;
}

/** A message of the conversation by the vendor's id, or a part of it. */
export interface PartRef {
  ref: string;
  part: number;
}
