import "server-only";
import { provideConnections } from "@/lib/adapters/transports/callback";
import { provideSink } from "@/lib/adapters/transports/sink";
import { registerEvents } from "@/lib/events/event-registry";
import { findConnection } from "@/lib/lines/lines/line-connection";
import { provideContentCopies } from "@/lib/messaging/messages/content-copies";
import { providePayments } from "@/lib/messaging/messages/payment-port";
import { MESSAGE_PAYMENTS } from "@/lib/payments/message-payments";
import { EVENT_CATALOG } from "@/lib/runtime/wiring/event-catalog";
import { inboundSink } from "@/lib/runtime/wiring/inbound-sink";
import { eraseOnPhones } from "@/lib/simulator/erase-on-phones";

/**
 * Registers dependencies that lower modules must not import: event payloads, payments for messages, the simulator's
 * copies of content, and the sink of transports. Every process calls it first; a second call changes nothing.
 */
export function registerDependencies(): void {
  registerEvents(EVENT_CATALOG);
  providePayments(MESSAGE_PAYMENTS);
  provideContentCopies([eraseOnPhones]);
  provideSink(inboundSink);
  provideConnections(findConnection);
}
