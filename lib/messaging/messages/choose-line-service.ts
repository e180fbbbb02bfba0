import "server-only";
import type { Reach } from "@/lib/adapters/transports/transport";
import { getAccountOptions } from "@/lib/identity/accounts/get-account-options";
import { findReach } from "@/lib/lines/lines/find-reach";
import { chooseService } from "@/lib/messaging/messages/choose-service";
import type { SendPlace } from "@/lib/messaging/messages/find-send-place";
import type { ServiceType } from "@/lib/platform/prisma/enums";

type Ends = Pick<SendPlace, "line" | "transport" | "lineHasRcs" | "recipients">;

/** The service a message from a line to its recipients goes over, as `chooseService`; what cannot be asked is unknown. */
export async function chooseLineService(
  { line, transport, lineHasRcs, recipients }: Ends,
  preferred: ServiceType | null,
  timeoutMs: number,
): Promise<ServiceType | null> {
  const { rcs } = await getAccountOptions(line.accountId);
  const wish = { lineType: line.lineType, hasRcs: rcs && lineHasRcs, preferred, recipients };
  return chooseService(wish, (handle, service) =>
    findReach({ line, transport, handle, service }, timeoutMs).catch((): Reach => "unknown"),
  );
}
