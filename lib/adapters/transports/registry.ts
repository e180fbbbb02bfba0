import "server-only";
import { androidTransport } from "@/lib/adapters/transports/android/android-transport";
import { imsgTransport } from "@/lib/adapters/transports/imsg/imsg-transport";
import { simulator } from "@/lib/adapters/transports/simulator/simulator";
import { smppTransport } from "@/lib/adapters/transports/smpp/smpp-transport";
import type { Transport } from "@/lib/adapters/transports/transport";
import { twilioTransport } from "@/lib/adapters/transports/twilio/twilio-transport";
import { upstreamTransport } from "@/lib/adapters/transports/upstream/upstream-transport";

const TRANSPORTS = new Map<string, Transport>(
  [simulator, upstreamTransport, smppTransport, twilioTransport, imsgTransport, androidTransport].map(
    (transport) => [transport.name, transport],
  ),
);

/** Adds a transport to this process. Replaces one with the same name. */
export function registerTransport(transport: Transport): void {
  TRANSPORTS.set(transport.name, transport);
}

/** Returns the transport that a line names. Throws for an unknown name, because the line is misconfigured. */
export function transportOf(name: string): Transport {
  const transport = TRANSPORTS.get(name);
  if (transport === undefined) throw new Error(`there is no transport "${name}"`);
  return transport;
}

export function allTransports(): readonly Transport[] {
  return [...TRANSPORTS.values()];
}
