import "server-only";
import type { LockedMessage } from "@/lib/messaging/messages/locked-message";
import { fail } from "@/lib/platform/errors/errors";

/** Checks that a message is a poll that reached its chat. Errors: message_not_found, state_conflict. */
export function checkPoll({ kind, delivery_status }: LockedMessage): void {
  if (kind !== "poll") fail("message_not_found", "the message is not a poll");
  if (delivery_status === "failed") fail("state_conflict", "the poll was not sent: send a new poll");
}
