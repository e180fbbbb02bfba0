import "server-only";
import type { ServiceType } from "@/lib/platform/prisma/enums";

/** A line as its transport identifies it. */
export interface LineRef {
  accountId: string;
  id: string;
  phoneNumber: string;
  /** iMessage or RCS: the best service the line itself can send. */
  lineType: ServiceType;
  /**
   * The number of the connection that a call or a report belongs to. Calls over an earlier connection of the line fail,
   * and receipts concern only messages of the same vendor account. Absent where the line has one connection only.
   */
  connectionNumber?: number;
}

/** A message of the conversation by the vendor's id, or a part of it. */
export interface PartRef {
  ref: string;
  part: number;
}
