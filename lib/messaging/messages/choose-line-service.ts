import "server-only";
import type { Capability } from "@/lib/adapters/transports/transport";
import { getAccountOptions } from "@/lib/identity/accounts/get-account-options";
import { findCapability } from "@/lib/lines/lines/find-capability";
import { chooseService } from "@/lib/messaging/messages/choose-service";
import type { ResolvedTarget } from "@/lib/messaging/messages/resolve-target";
import type { ServiceType } from "@/lib/platform/prisma/enums";

type Ends = Pick<ResolvedTarget, "line" | "transport" | "lineHasRcs" | "recipients">;

/** The service a message from a line to its recipients goes over, as `chooseService`; what cannot be asked is unknown. */
export async function chooseLineService(
  { line, transport, lineHasRcs, recipients }: Ends,
  preferred: ServiceType | null,
  timeoutMs: number,
): Promise<ServiceType | null> {
  const { rcs } = await getAccountOptions(line.accountId);
  const criteria = { lineType: line.lineType, hasRcs: rcs && lineHasRcs, preferred, recipients };
  return chooseService(criteria, (handle, service) =>
    findCapability({ line, transport, handle, service }, timeoutMs).catch((): Capability => "unknown"),
  );
}
