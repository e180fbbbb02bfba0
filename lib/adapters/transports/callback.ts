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
}

/** A callback with a valid signature that cannot be read. */
export class MalformedCallback extends Error {}

/** Finds the connection of a line. Throws AdapterError `line_down` for a line without one. */
type FindConnection = (line: LineRef) => Promise<Connection>;

const shared = globalThis as typeof globalThis & { trunklineConnections?: FindConnection };

/** Gives transports the connections of lines. Each process does so at its start (lib/runtime/wiring). */
export function provideConnections(find: FindConnection): void {
  shared.trunklineConnections = find;
}

/** The connection of a line, for calls to its vendor. Throws AdapterError `line_down` for a line without one. */
export const connectionOf: FindConnection = (line) => {
  if (shared.trunklineConnections === undefined) {
    throw new Error(
      "no connections are provided: call registerDependencies() of lib/runtime/wiring at the start",
    );
  }
  return shared.trunklineConnections(line);
};
