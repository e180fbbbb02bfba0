import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { inboundSink } from "@/lib/runtime/wiring/inbound-sink";

/** Receives one event from a line's transport. */
export function receiveEvent(line: LineRef, event: InEvent): Promise<void> {
  return inboundSink.receive(line, [event]);
}
