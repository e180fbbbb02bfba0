import "server-only";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";

/** The settings and secrets of a line's connection to its vendor, by the transport's own names. Never logged. */
export type Connection = Readonly<Record<string, string>>;

/** A request to the callback URL of a line. Nothing in it is verified. */
export interface VendorRequest {
  method: string;
  /** The public URL that the vendor called, including the query, because some vendors sign it. */
  url: string;
  /** By lowercase name. */
  headers: Readonly<Record<string, string>>;
  /** The unmodified bytes, because signatures cover them. */
  body: Uint8Array;
}

/** The response a vendor expects. */
export interface VendorReply {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** A verified callback. */
export interface Callback {
  events: readonly InEvent[];
  /** Sent after the events are stored; null = 200 without a body. */
  reply: VendorReply | null;
  /** The callback only announces events: the line is polled immediately. */
  pollNow?: boolean;
  /**
   * The callback is about another number than that of the line whose URL was called. Its events are of the line with this
   * number and the same vendor account. Without such a line they are refused, unless the number may be of this line.
   */
  about?: { number: string; mayBeOwn: boolean };
}

/** A callback with a valid signature that cannot be read. */
export class MalformedCallback extends Error {}

/** Finds the connection of a line. Throws AdapterError `line_down` for a line without one. */
type FindConnection = (line: LineRef) => Promise<Connection>;

/** Adds settings to a line's connection. Returns false when the connection is no longer the given one. */
type ExtendConnection = (line: LineRef, was: Connection, added: Connection) => Promise<boolean>;

const shared = globalThis as typeof globalThis & {
  trunklineConnections?: FindConnection;
  trunklineConnectionChanges?: ExtendConnection;
};

/** Gives transports the connections of lines. Each process does so at its start (lib/runtime/wiring). */
export function provideConnections(find: FindConnection, extend?: ExtendConnection): void {
  shared.trunklineConnections = find;
  if (extend !== undefined) shared.trunklineConnectionChanges = extend;
}

/**
 * Adds settings that the transport itself obtained to a line's connection, such as the secret of a webhook that it
 * created. Returns false, and changes nothing, when the connection is no longer `was`.
 */
export const extendConnection: ExtendConnection = (line, was, added) => {
  if (shared.trunklineConnectionChanges === undefined) {
    throw new Error("no connections can be changed: call registerDependencies() of lib/runtime/wiring");
  }
  return shared.trunklineConnectionChanges(line, was, added);
};

/** The connection of a line, for calls to its vendor. Throws AdapterError `line_down` for a line without one. */
export const connectionOf: FindConnection = (line) => {
  if (shared.trunklineConnections === undefined) {
    throw new Error(
      "no connections are provided: call registerDependencies() of lib/runtime/wiring at the start",
    );
  }
  return shared.trunklineConnections(line);
};
