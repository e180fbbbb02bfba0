import "server-only";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { transportOf } from "@/lib/adapters/transports/registry";
import type { Capability } from "@/lib/adapters/transports/transport";
import { findAccountOptions } from "@/lib/identity/accounts/find-account-options";
import { findCapability } from "@/lib/lines/capability/find-capability";
import type { ResolvedTarget } from "@/lib/messaging/sending/accept/resolve-target";
import { outageOf } from "@/lib/platform/database/database-outage";
import type { ServiceType } from "@/lib/platform/prisma/enums";

type Ends = Pick<ResolvedTarget, "line" | "transport" | "lineHasRcs" | "recipients">;

/**
 * Chooses the service of a message from a line to its recipients, as `chooseService`. A capability that the transport
 * can't check counts as unknown. Throws AdapterError `line_down` when the line is down, and throws when the database is
 * unavailable: neither must downgrade a message.
 */
export async function chooseLineService(
  { line, transport, lineHasRcs, recipients }: Ends,
  preferred: ServiceType | null,
  timeoutMs: number,
): Promise<ServiceType | null> {
  if (transportOf(transport).choosesService) return bestService(line.lineType, preferred);
  const { rcs } = await findAccountOptions(line.accountId);
  const criteria = { lineType: line.lineType, hasRcs: rcs && lineHasRcs, preferred, recipients };
  return chooseService(criteria, (handle, service) =>
    findCapability({ line, transport, handle, service }, timeoutMs).catch(unknownUnlessDown),
  );
}

function unknownUnlessDown(error: unknown): Capability {
  if (outageOf(error) !== null || isLineDown(error)) throw error;
  return "unknown";
}

/** Whether an error says that a line is down. */
export function isLineDown(error: unknown): error is AdapterError {
  return error instanceof AdapterError && error.kind === "line_down";
}

/** The properties of a message that determine its service. */
export interface ServiceCriteria {
  lineType: ServiceType;
  /** False = RCS is off for the line or its account. */
  hasRcs: boolean;
  preferred: ServiceType | null;
  recipients: readonly string[];
}

const BEST_FIRST = ["iMessage", "RCS", "SMS"] as const satisfies readonly ServiceType[];

/**
 * Chooses the service of a message: the best one that the line has and that reaches every recipient, starting at the
 * preferred service and never above it (docs/contract.md, section 7.4). null = none.
 */
export async function chooseService(
  { lineType, hasRcs, preferred, recipients }: ServiceCriteria,
  probe: (handle: string, service: ServiceType) => Promise<Capability>,
): Promise<ServiceType | null> {
  for (const service of BEST_FIRST.slice(BEST_FIRST.indexOf(bestService(lineType, preferred)))) {
    if (service === "RCS" && !hasRcs) continue;
    const capabilities = await Promise.all(recipients.map((handle) => capabilityOf(handle, service, probe)));
    // A preferred iMessage is attempted when it can't be checked; RCS is downgraded instead
    // (docs/contract.md, section 7.4).
    const isAttempted = service === "iMessage" && preferred === "iMessage";
    if (capabilities.every((capability) => capability === "yes" || (capability === "unknown" && isAttempted)))
      return service;
  }
  return null;
}

/** The best service of a line, but none above the preferred one. */
export function bestService(lineType: ServiceType, preferred: ServiceType | null): ServiceType {
  const isBelow = BEST_FIRST.indexOf(preferred ?? lineType) > BEST_FIRST.indexOf(lineType);
  return isBelow && preferred !== null ? preferred : lineType;
}

async function capabilityOf(
  handle: string,
  service: ServiceType,
  probe: (handle: string, service: ServiceType) => Promise<Capability>,
): Promise<Capability> {
  // SMS reaches every phone number. An email address has only iMessage.
  if (service === "SMS") return isPhoneNumber(handle) ? "yes" : "no";
  return service === "RCS" && !isPhoneNumber(handle) ? "no" : probe(handle, service);
}

function isPhoneNumber(handle: string): boolean {
  return handle.startsWith("+");
}
