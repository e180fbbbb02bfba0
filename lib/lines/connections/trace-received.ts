import "server-only";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { traceRoot } from "@/lib/platform/telemetry/spans";

/** Runs the storing of a transport's report as the root span of a new trace, whose ID `work` receives. */
export function traceReceived<Result>(
  { accountId, id }: LineRef,
  type: InEvent["type"],
  work: (traceId: string) => Promise<Result>,
): Promise<Result> {
  const attributes = { "trunkline.account.id": accountId, "trunkline.line.id": id };
  return traceRoot(`receive ${type.replaceAll("_", " ")}`, attributes, work);
}
