import "server-only";
import type { OutAction } from "@/lib/adapters/transports/actions";
import type { Callback, Connection, VendorRequest } from "@/lib/adapters/transports/callback";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { Accepted, Outbound, OutContactCard, SendOutcome } from "@/lib/adapters/transports/outbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import type { Sink } from "@/lib/adapters/transports/sink";
import type { ServiceType } from "@/lib/platform/prisma/enums";

/** Features that a transport may lack. The core omits or rejects content that needs a missing feature. */
export type Cap =
  | "decorations"
  | "effect"
  | "group"
  | "group_members"
  | "group_leave"
  | "group_name"
  | "group_icon"
  | "media"
  | "sticker"
  | "inline_sticker"
  | "link_card"
  | "app_card"
  | "app_clip"
  | "mention"
  | "reply"
  | "reaction"
  | "edit"
  | "typing"
  | "read"
  | "background"
  | "contact_share"
  | "location"
  | "poll";

/** Whether a handle can be reached over a service. */
export type Capability = "yes" | "no" | "unknown";

export interface Running {
  /** Accepts no new work and waits for work in progress. */
  stop(): Promise<void>;
}

/** The result of polling a vendor. */
export interface PolledPage {
  events: readonly InEvent[];
  /** Passed to the next poll once the events are stored. */
  cursor: string;
  /** Whether the vendor has more to report already: the line is then polled again at once. */
  more: boolean;
}

/** How the vendor of a line is polled. */
export interface Polling {
  /** The pause between two polls of a line that has nothing more to report. */
  everySeconds: number;
  /**
   * Reads what the vendor reports after `cursor` (null = never polled), a bounded number of events at a time, and stores
   * nothing. The same cursor may be read again: the events then come again, under the same refs. Rejects with an
   * AdapterError, or when the signal is aborted.
   */
  read(
    line: LineRef,
    connection: Connection,
    cursor: string | null,
    signal: AbortSignal,
  ): Promise<PolledPage>;
}

/** A way to send and receive for lines. Every one passes `conformance.ts`. */
export interface Transport {
  /** Carries no message to a real person: production accounts have no line on it. */
  sandboxOnly?: boolean;
  readonly name: string;
  caps(service: ServiceType): ReadonlySet<Cap>;
  /** Seconds that a result of `probe` can be cached. 0 = ask each time. */
  readonly capabilityCacheSeconds: number;
  /** Rejects with an AdapterError when the vendor could not be asked; with `no_account` when the line lacks the service. */
  probe(line: LineRef, handle: string, service: ServiceType): Promise<Capability>;
  /** Rejects with an AdapterError; with `unknown_outcome` when the signal ends it after the request may have left. */
  send(message: Outbound, signal: AbortSignal): Promise<Accepted>;
  /** Asked when an earlier send of the message timed out, or its process died: did it go out? */
  outcome(line: LineRef, messageId: string): Promise<SendOutcome>;
  /** Puts the card on the line, in place of any other; null takes it away. Absent where lines show none. */
  setContactCard?(line: LineRef, card: OutContactCard | null, signal: AbortSignal): Promise<void>;
  /** Does it, or rejects with an AdapterError; asked again after `unknown_outcome`. Only what `caps` has is asked for. */
  act(action: OutAction, signal: AbortSignal): Promise<void>;
  /** Whether the vendor is still at making a group it has no id for yet. Absent where that takes no time. */
  isCreating?(line: LineRef, chatId: string): Promise<boolean>;
  /**
   * Verifies and parses a callback of the vendor, and stores nothing. Throws SignatureRefused for a request that the vendor
   * did not sign with the line's secret, MalformedCallback for a signed one that cannot be read. Absent where the vendor
   * sends no callbacks.
   */
  parseCallback?(line: LineRef, connection: Connection, request: VendorRequest): Promise<Callback>;
  /** Present where the vendor must be polled. The core keeps the cursor and the due time of each line. */
  readonly poll?: Polling;
  /** Begins to receive in this process, for all lines of the transport. */
  start?(sink: Sink): Running;
}
