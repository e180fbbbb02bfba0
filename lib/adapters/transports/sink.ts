import "server-only";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";

/**
 * The only way in. Resolves once the event is durably stored, so that an adapter acknowledges to its peer only then;
 * when it rejects, the event is to be delivered again. Duplicates and any order are fine.
 */
export type Sink = (line: LineRef, event: InEvent) => Promise<void>;
