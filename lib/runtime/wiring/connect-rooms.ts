import "server-only";
import { registerEvents } from "@/lib/events/event-registry";
import { providePayments } from "@/lib/messaging/messages/payment-port";
import { MESSAGE_PAYMENTS } from "@/lib/payments/message-payments";
import { EVENT_CATALOG } from "@/lib/runtime/wiring/event-catalog";

/**
 * Gives the lower rooms what only the upper ones know: the payloads of events, and payments to messages. Every process calls it before anything
 * else; again, it changes nothing.
 */
export function connectRooms(): void {
  registerEvents(EVENT_CATALOG);
  providePayments(MESSAGE_PAYMENTS);
}
