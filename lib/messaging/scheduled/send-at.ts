import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { fail } from "@/lib/platform/errors/errors";

/** How far ahead a message can be scheduled. */
export const MAX_DAYS_AHEAD = 30;

const DAY_MS = 86_400_000;
const SECOND_MS = 1000;

/** Available on every send: the time at which to send, if not now. */
export const SendAt = z.iso
  .datetime({ offset: true, error: "must be a time in RFC 3339, such as 2026-03-02T09:00:00Z" })
  .optional()
  .describe(
    "Time at which to send the message (RFC 3339, with an offset, up to 30 days ahead, to the second). Absent or in the past sends it now. Until then the message is a scheduled message: it is in no list of messages, and `GET /v3/scheduled_messages` lists it. In quiet hours of the recipient, if the account has any, `quiet_hours` decides. A Trunkline extension.",
  );

/** As `SendAt`, in the response to a send. */
export const AcceptedSendAt = z.iso
  .datetime()
  .optional()
  .describe(
    "Time at which the message will be sent, if the request had a `send_at` in the future, or if the account has quiet hours and the message waits for their end or for others that waited. A limit can move it. Absent on all other messages. A Trunkline extension.",
  );

/**
 * The time at which a send is due, in whole seconds; null = now. Errors: parameter_invalid (more than 30 days ahead).
 */
export function dueTimeOf(ctx: Pick<Context, "now">, sendAt: string | undefined): Date | null {
  if (sendAt === undefined) return null;
  const due = Math.floor(Date.parse(sendAt) / SECOND_MS) * SECOND_MS;
  if (due > ctx.now.getTime() + MAX_DAYS_AHEAD * DAY_MS) {
    fail("parameter_invalid", `send_at: must be at most ${MAX_DAYS_AHEAD} days ahead`);
  }
  return due <= ctx.now.getTime() ? null : new Date(due);
}
