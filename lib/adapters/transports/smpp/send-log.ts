import "server-only";
import type { Accepted } from "@/lib/adapters/transports/outbound";

const MAX_ENTRIES = 10_000;

/** A message that was sent, or whose sending began, over a session. */
export interface SendEntry {
  /** When its first attempt began. The oldest message goes first. */
  since: number;
  /** The references of the parts that the SMS center accepted, in order. */
  refs: string[];
  /** `refused`: the parts after `refs` were certainly not sent. */
  state: "sending" | "accepted" | "refused" | "unknown";
  result: Promise<Accepted>;
}

/** The last 10,000 sends of a session, which a repeat and a question about the outcome find. */
export class SendLog {
  readonly #entries = new Map<string, SendEntry>();

  find(messageId: string): SendEntry | undefined {
    return this.#entries.get(messageId);
  }

  add(messageId: string, entry: SendEntry): void {
    this.#entries.delete(messageId);
    this.#entries.set(messageId, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > MAX_ENTRIES && oldest !== undefined) this.#entries.delete(oldest);
  }
}
