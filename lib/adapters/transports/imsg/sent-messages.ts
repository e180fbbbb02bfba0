import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { toService } from "@/lib/adapters/transports/imsg/imsg-chats";
import { createReceiptTracker, SendStatus } from "@/lib/adapters/transports/imsg/imsg-receipts";
import type { ImsgRunner } from "@/lib/adapters/transports/imsg/imsg-runner";
import type { SendOutcome } from "@/lib/adapters/transports/outbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import type { Sink } from "@/lib/adapters/transports/sink";
import { log } from "@/lib/platform/telemetry/log";

const RECEIPTS_MS = 500;
/** In all, they are shorter than the time that the outcome of a send may take. */
const STATUS_WAITS_MS = [0, 500, 1000, 2000, 4000, 8000, 10_000];

/** What became of the messages that a line sent: their receipts, and the outcomes of sends that are unknown. */
export class SentMessages {
  readonly #line: LineRef;
  readonly #imsg: ImsgRunner;
  readonly #sink: Sink;
  readonly #receipts = createReceiptTracker();

  constructor(line: LineRef, imsg: ImsgRunner, sink: Sink) {
    this.#line = line;
    this.#imsg = imsg;
    this.#sink = sink;
  }

  /** Asks for the receipts of a message from now on. */
  track(ref: string): void {
    this.#receipts.track(ref);
  }

  /** Stores the receipts of tracked messages until the signal. */
  async keepChecking(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (this.#imsg.isRunning && this.#imsg.isUsable("message.send_status")) {
        await this.#checkReceipts().catch((error: unknown) =>
          log.debug({ err: error, lineId: this.#line.id }, "receipts could not be read"),
        );
      }
      await sleep(RECEIPTS_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** The state of a message; null when Messages has none with this GUID. Throws AdapterError. */
  async findStatus(guid: string): Promise<SendStatus | null> {
    const status = SendStatus.parse(await this.#imsg.read("message.send_status", { guid }));
    return status.status_fields === null && status.send_state === "pending" ? null : status;
  }

  /**
   * The outcome of a send, of which `known` is known. A tracked send has the ID of its message, so Messages knows what
   * became of it, even after a restart.
   */
  async outcomeOf(messageId: string, known: SendOutcome): Promise<SendOutcome> {
    const imsg = this.#imsg;
    if (known.state !== "unknown" || (imsg.isRunning && !imsg.isUsable("message.send_status"))) return known;
    const status = await this.#waitForStatus(messageId);
    if (status?.send_state !== "sent" && status?.send_state !== "delivered") return known;
    const ref = status.guid ?? messageId;
    this.track(ref);
    const service = toService(status.service) ?? "iMessage";
    return { state: "accepted", accepted: { refs: [ref], groupRef: null, service } };
  }

  /** Asks for the state of a message. imsg may be starting again. */
  async #waitForStatus(guid: string): Promise<SendStatus | null> {
    for (const waitMs of STATUS_WAITS_MS) {
      await sleep(waitMs);
      const found = await this.findStatus(guid).catch(() => undefined);
      if (found !== undefined) return found;
    }
    return null;
  }

  async #checkReceipts(): Promise<void> {
    for (const ref of this.#receipts.due()) {
      const status = SendStatus.parse(await this.#imsg.read("message.send_status", { guid: ref }));
      const { events, store } = this.#receipts.read(ref, status);
      if (events.length > 0) await this.#sink.receive(this.#line, events);
      store();
    }
  }
}
