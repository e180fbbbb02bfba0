import "server-only";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";

/** The only entry point for inbound events: vendor callbacks, polls of a vendor, and simulated phones. */
export interface Sink {
  /**
   * Stores the events of a line in their order. Resolves once all are stored or set aside, so that an adapter
   * acknowledges to its vendor only then. An event that can't be stored for its content is set aside for an operator and
   * never stops the ones behind it. When it rejects, because of an outage or a receipt that came too early, the vendor is
   * to deliver all of them again: the events before the failed one are stored, and a repeat of them changes nothing.
   * Events may arrive repeatedly and in any order.
   */
  receive(line: LineRef, events: readonly InEvent[]): Promise<void>;
}

const shared = globalThis as typeof globalThis & { trunklineSink?: Sink };

/** Gives transports their sink. Each process calls it at startup (lib/runtime/wiring). */
export function provideSink(provided: Sink): void {
  shared.trunklineSink = provided;
}

/** Returns the process's sink for inbound events. Throws when the process has not provided one. */
export function sink(): Sink {
  if (shared.trunklineSink === undefined) {
    throw new Error("no sink is provided: call registerDependencies() of lib/runtime/wiring at the start");
  }
  return shared.trunklineSink;
}
