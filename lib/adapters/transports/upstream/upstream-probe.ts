import "server-only";
import { z } from "zod";
import type { LineRef } from "@/lib/adapters/transports/refs";
import type { Capability } from "@/lib/adapters/transports/transport";
import { upstreamOf } from "@/lib/adapters/transports/upstream/upstream-api";
import type { ServiceType } from "@/lib/platform/prisma/enums";

const Result = z.object({ available: z.boolean() });

/** Asks the upstream whether it can reach a handle. Throws AdapterError: upstreams limit the checks of an account. */
export async function probeAtUpstream(
  line: LineRef,
  handle: string,
  service: ServiceType,
): Promise<Capability> {
  if (service === "SMS") return handle.startsWith("+") ? "yes" : "no";
  if (service === "RCS" && !handle.startsWith("+")) return "no";
  const api = await upstreamOf(line);
  const check = service === "iMessage" ? "check_imessage" : "check_rcs";
  const { available } = await api.call(`POST /v3/capability/${check}`, {
    schema: Result,
    body: { address: handle, from: api.number },
  });
  return available ? "yes" : "no";
}
