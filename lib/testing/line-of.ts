import type { LineRef } from "@/lib/adapters/transports/refs";
import { prisma } from "@/lib/platform/database/db";
import type { TestAccount } from "@/lib/testing/create-test-account";

/** Returns the only line of a test account, as transports name it. */
export async function lineOf({ ref, line: phoneNumber }: TestAccount): Promise<LineRef> {
  const { id, lineType } = await prisma().line.findFirstOrThrow({
    where: { accountId: ref.id, phoneNumber },
  });
  return { accountId: ref.id, id, phoneNumber, lineType };
}
