import "server-only";
import type { z } from "zod";
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
  | "unsend"
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
  /** Whether the vendor has more to report already. If so, the line is polled again immediately. */
  more: boolean;
  /** The pause until the next poll, if it differs from `everySeconds`. */
  pauseSeconds?: number;
}

/** A line that is polled, and whether it can send as far as is known. */
export interface PolledLine extends LineRef {
  isUp?: boolean;
}

/** How a vendor's lines are polled. */
export interface Polling {
  /** The pause between two polls when the line has nothing more to report. */
  everySeconds: number;
  /**
   * Reads a bounded number of the vendor's events after `cursor` (null = never polled) and stores nothing. A repeated
   * cursor returns the same events again, under the same refs. Rejects with an AdapterError, or when the signal is
   * aborted.
   */
  read(
    line: PolledLine,
    connection: Connection,
    cursor: string | null,
    signal: AbortSignal,
  ): Promise<PolledPage>;
  /**
   * Cursors say what they are of, and `read` starts over with one of something else: they are kept when the settings
   * change. Absent where a cursor is of the vendor account of the settings.
   */
  checksCursor?: true;
}

/**
 * How a transport keeps a session with the vendor of each line. The core opens the sessions of an account's lines in one
 * worker process at a time (lib/lines/connections/keep-sessions.ts), and only that process sends their messages.
 */
interface Sessions {
  /**
   * Opens the session of a line and keeps it open until `stop`, reconnecting as needed. Returns at once. Reports to the
   * sink when the line goes down and when it is up again. `stop` waits for sends in progress.
   */
  open(line: LineRef, connection: Connection, sink: Sink): Running;
}

/** Sends and receives messages for lines. Every transport passes `conformance.ts`. */
export interface Transport {
  /** Carries no messages to real people: production accounts can't have a line on it. */
  sandboxOnly?: boolean;
  readonly name: string;
  /** The name for people, where `name` is not how it is written. */
  readonly label?: string;
  caps(service: ServiceType): ReadonlySet<Cap>;
  /**
   * The settings of a line's connection. The metadata of each has a label and a help text, `secret` on those that are
   * never shown, `target` on those that determine the host that gets the secrets, `managed` on those that the
   * transport sets itself, and `local` on those that the vendor never sees. Absent where every connection is accepted.
   */
  readonly settings?: z.ZodType;
  /**
   * The parts of messages per second that a connection allows; null = no limit. The core keeps messages in the queue
   * until their turn, whichever process sends them. Absent where the transport has no limit, or keeps its own.
   */
  throughput?(connection: Connection): number | null;
  /**
   * Connects to the vendor with the settings of a connection that is not stored yet. Resolves with warnings: sentences
   * that tell the operator what does not work over a connection that can be used. Rejects with an AdapterError whose
   * message tells the operator which setting is wrong. Absent where a connection can't be tested without using it.
   */
  test?(line: LineRef, connection: Connection, signal: AbortSignal): Promise<readonly string[]>;
  /**
   * The vendor chooses the service of a message, from the requested one down, and reports it. Sends are not probed.
   */
  readonly choosesService?: boolean;
  /** Seconds that a result of `probe` can be cached. 0 = probe each time. */
  readonly capabilityCacheSeconds: number;
  /**
   * Rejects with an AdapterError when the vendor could not be asked, of kind `no_account` when the line lacks the
   * service.
   */
  probe(line: LineRef, handle: string, service: ServiceType): Promise<Capability>;
  /**
   * Rejects with an AdapterError, of kind `unknown_outcome` when the signal aborts it after the request may have left.
   */
  send(message: Outbound, signal: AbortSignal): Promise<Accepted>;
  /** Returns whether an earlier send of the message that timed out, or whose process ended, went out. */
  outcome(line: LineRef, messageId: string): Promise<SendOutcome>;
  /** Sets the line's contact card, replacing any other. null removes it. Absent where lines show none. */
  setContactCard?(line: LineRef, card: OutContactCard | null, signal: AbortSignal): Promise<void>;
  /**
   * Performs the action, or rejects with an AdapterError. May be called again after `unknown_outcome`. Called only for
   * actions in `caps`.
   */
  act(action: OutAction, signal: AbortSignal): Promise<void>;
  /** Whether the vendor is still creating a group that has no id yet. Absent where creation is immediate. */
  isCreating?(line: LineRef, chatId: string): Promise<boolean>;
  /**
   * Verifies and parses a callback from the vendor, and stores nothing. Throws SignatureRefused for a request that the
   * vendor did not sign with the line's secret, MalformedCallback for a signed one that cannot be read. Absent where
   * the vendor sends no callbacks.
   */
  parseCallback?(line: LineRef, connection: Connection, request: VendorRequest): Promise<Callback>;
  /**
   * Present where the vendor must be polled. The core keeps the cursor and the due time of each line. A transport that
   * polls or has sessions reports when a line is up: a line that was just connected is down until then.
   */
  readonly poll?: Polling;
  /**
   * Opens a file of an inbound message again, by its `InMedia.source`: the file could not be had when the message came.
   * Rejects with an AdapterError of kind `rejected` for a file that will never come, and with any other error when the
   * core is to try again later. Absent where files can't be fetched again.
   */
  openFile?(
    line: LineRef,
    connection: Connection,
    source: string,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array>>;
  /**
   * Reads the payload of an `unreadable` event again, which an earlier version may not have understood. Rejects when it
   * still can't be read. Absent where that needs a session.
   */
  readAgain?(line: LineRef, connection: Connection, payload: string): Promise<readonly InEvent[]>;
  /** Present where the vendor needs a connection that stays open. Sends and actions need the session of their line. */
  readonly sessions?: Sessions;
  /** Starts receiving in this process, for all lines of the transport. */
  start?(sink: Sink): Running;
}
