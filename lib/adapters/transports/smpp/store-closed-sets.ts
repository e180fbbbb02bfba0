import "server-only";
import type { InboundMessage } from "@/lib/adapters/transports/inbound";
import type { Sink } from "@/lib/adapters/transports/sink";
import { type ClosedSet, closeDueSets, endSet } from "@/lib/adapters/transports/smpp/part-sets";
import type { Running } from "@/lib/adapters/transports/transport";
import { log } from "@/lib/platform/telemetry/log";
import { now } from "@/lib/platform/time/clock";

const LOOK_MS = 15_000;

/** The message of a text that arrived over SMPP. */
export function textMessage({
  from,
  text,
  ref,
}: {
  from: string;
  text: string;
  ref: string;
}): InboundMessage {
  return {
    type: "message",
    ref,
    groupRef: null,
    from,
    others: [],
    service: "SMS",
    at: now(),
    isTimeReported: false,
    parts: [{ type: "text", value: text }],
  };
}

/** Stores the text of a closed set. Its reference is that of the set, so that a repeat is the same message. */
export async function storeClosedSet(sink: Sink, { line, id, from, text }: ClosedSet): Promise<void> {
  if (text !== null) await sink.receive(line, [textMessage({ from, text, ref: `sms:${id}` })]);
  await endSet(line.accountId, id);
}

/** Stores the texts whose next part is late as they are, and those that could not be stored before. */
export async function storeDueSets(sink: Sink): Promise<void> {
  for (const set of await closeDueSets()) {
    await storeClosedSet(sink, set).catch((error: unknown) =>
      log.warn({ err: error, lineId: set.line.id }, "the text of an SMS in parts could not be stored yet"),
    );
  }
}

/** Looks for texts with late parts, of all lines: also of lines that have another transport by now. */
export function startStoringDueSets(sink: Sink): Running {
  let looking: Promise<void> | null = null;
  const look = () => {
    looking ??= storeDueSets(sink)
      .catch((error: unknown) => log.warn({ err: error }, "parts of SMS could not be looked for"))
      .finally(() => {
        looking = null;
      });
  };
  const timer = setInterval(look, LOOK_MS);
  look();
  return {
    async stop() {
      clearInterval(timer);
      await looking;
    },
  };
}
