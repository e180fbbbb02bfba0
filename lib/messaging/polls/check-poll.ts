import "server-only";
import type { PlacedMessage } from "@/lib/messaging/messages/placed-message";
import { fail } from "@/lib/platform/errors";

/** Checks that a message is a poll that reached its chat. Errors: message_not_found, state_conflict. */
export function checkPoll({ kind, delivery_status }: PlacedMessage): void {
  if (kind !== "poll") fail("message_not_found", "the message is not a poll");
  if (delivery_status === "failed") fail("state_conflict", "the poll was not sent: send a new poll");
}
