import "server-only";
import { z } from "zod";
import { toHandle } from "@/lib/adapters/transports/imsg/imsg-handle";
import type { ImsgRows } from "@/lib/adapters/transports/imsg/imsg-rows";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import type { Sink } from "@/lib/adapters/transports/sink";
import { log } from "@/lib/platform/telemetry/log";
import { now } from "@/lib/platform/time/clock";

const BridgeEvent = z.object({
  event: z.object({ event: z.string(), data: z.object({ chatGuid: z.string() }) }),
});

/** What imsg reports as it happens. It is stored in its order. Messages that can't be stored now are found by a poll. */
export class LiveEvents {
  readonly #line: LineRef;
  readonly #rows: ImsgRows;
  readonly #sink: Sink;
  #delivering = Promise.resolve();

  constructor(line: LineRef, rows: ImsgRows, sink: Sink) {
    this.#line = line;
    this.#rows = rows;
    this.#sink = sink;
  }

  /** Takes a row that the watch reported. Passes its number to `noteCursor`. */
  takeMessage(message: unknown, noteCursor: (cursor: number) => void): void {
    const read = this.#rows.parse([message]);
    for (const { cursor } of read) if (cursor !== undefined) noteCursor(cursor);
    const since = performance.now();
    this.#deliver(() => this.#rows.readLive(read, since));
  }

  /** Takes an event of the bridge. */
  takeTyping(params: unknown): void {
    this.#deliver(async () => this.#readTyping(params));
  }

  /** Resolves once what was taken is stored, or could not be. */
  get settled(): Promise<void> {
    return this.#delivering;
  }

  #deliver(read: () => Promise<InEvent[]>): void {
    this.#delivering = this.#delivering
      .then(async () => {
        const events = await read();
        if (events.length > 0) await this.#sink.receive(this.#line, events);
      })
      .catch((error: unknown) =>
        log.warn({ err: error, lineId: this.#line.id }, "a live message was not stored"),
      );
  }

  #readTyping(params: unknown): InEvent[] {
    const { event } = BridgeEvent.safeParse(params).data ?? {};
    const [, kind, identifier] = event?.data.chatGuid.split(";") ?? [];
    const from = kind === "-" ? toHandle(this.#line, identifier ?? "") : null;
    const isOn = event?.event === "started-typing";
    if (from === null || (!isOn && event?.event !== "stopped-typing")) return [];
    return [{ type: "typing", ref: null, groupRef: null, from, at: now(), isOn }];
  }
}
