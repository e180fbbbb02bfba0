import "server-only";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { Outbound } from "@/lib/adapters/transports/outbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { prisma } from "@/lib/platform/database/db";

const RETRY_AFTER_MS = 1000;

/** Whether the line is configured to keep new groups under creation (/simulator/lines). */
export async function isCreatingGroups({ accountId, id: lineId }: LineRef): Promise<boolean> {
  const line = await prisma().simulatorLine.findUnique({
    where: { accountId_lineId: { accountId, lineId } },
  });
  return line?.groupsWait === true;
}

/** Throws AdapterError `rate_limited` for a message to a group that is still under creation. */
export async function requireGroupCreated({ line, group }: Outbound): Promise<void> {
  if (group === null || group.ref !== null || !(await isCreatingGroups(line))) return;
  throw new AdapterError("rate_limited", "the group is still being created", RETRY_AFTER_MS);
}
