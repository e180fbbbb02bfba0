import "server-only";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { prisma } from "@/lib/platform/database/db";

/** Throws AdapterError `no_account` when the line is configured to have no RCS account (/simulator/lines). */
export async function requireRcsAccount({ accountId, id: lineId }: LineRef): Promise<void> {
  const line = await prisma().simulatorLine.findUnique({
    where: { accountId_lineId: { accountId, lineId } },
  });
  if (line?.hasRcsAccount === false) throw new AdapterError("no_account", "the line has no RCS account");
}
