import "server-only";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { transportOf } from "@/lib/adapters/transports/registry";
import type { Reach } from "@/lib/adapters/transports/transport";
import { withinTime } from "@/lib/adapters/within-time";
import { keepReach } from "@/lib/lines/lines/keep-reach";
import { now } from "@/lib/platform/clock";
import { sql } from "@/lib/platform/db";
import type { ServiceType } from "@/lib/platform/prisma/enums";

/** Whether a line reaches a handle over a service. */
export interface ReachQuestion {
  line: LineRef;
  /** The name of the line's transport. */
  transport: string;
  handle: string;
  service: ServiceType;
}

/**
 * The answer the transport gave lately, as long as it lets answers hold; else what it says now, which is kept. Errors: the
 * AdapterError of its probe, `unknown_outcome` when the time is up.
 */
export async function findReach(question: ReachQuestion, timeoutMs: number): Promise<Reach> {
  const transport = transportOf(question.transport);
  const known =
    transport.reachHoldsSeconds > 0 ? await knownReach(question, transport.reachHoldsSeconds) : null;
  if (known !== null) return known;

  const { line, handle, service } = question;
  const reach = await withinTime(timeoutMs, () => transport.probe(line, handle, service));
  if (reach !== "unknown" && transport.reachHoldsSeconds > 0) {
    await keepReach({ accountId: line.accountId, handle, service, reach, at: now() });
  }
  return reach;
}

async function knownReach({ line, handle, service }: ReachQuestion, seconds: number): Promise<Reach | null> {
  const [row] = await sql.query<{ reach: "yes" | "no" }>({
    name: "known-reach",
    text: `select reach::text as reach from handle_capabilities
           where account_id = $1 and handle = $2 and service = $3::text::service_type and checked_at > $4`,
    values: [line.accountId, handle, service, new Date(now().getTime() - seconds * 1000)],
  });
  return row?.reach ?? null;
}
