import "server-only";
import {
  type Due,
  dueAfterQuiet,
  keepsQuietHours,
  type QuietChoice,
  type QuietRecipients,
} from "@/lib/messaging/scheduled/quiet-time";
import { findEarlierByKey, scheduledId } from "@/lib/messaging/scheduled/schedule-message";
import { dueTimeOf } from "@/lib/messaging/scheduled/send-at";
import type { RepeatedContent } from "@/lib/messaging/sending/prepare-message";
import type { Context } from "@/lib/platform/context";

/** What a request says about the time of its send. */
export interface When {
  send_at?: string | undefined;
  quiet_hours?: QuietChoice;
}

/** A send before its content is prepared. */
interface SendToPlan {
  when: When;
  idempotencyKey: string | null | undefined;
  to: QuietRecipients;
}

/** When a send is accepted. */
export interface SendPlan extends Due {
  replayOf: null;
  /** The id of the message, if it is scheduled: pass it to `prepareMessage`. */
  messageId: string | undefined;
  choice: QuietChoice;
}

export const SEND_NOW: SendPlan = {
  replayOf: null,
  dueAt: null,
  hold: null,
  messageId: undefined,
  choice: undefined,
};

/**
 * Plans a send: now, at the time that it asks for, or after the quiet hours of its recipients. Returns the id of the message that
 * was scheduled, canceled or sent with its idempotency key, if there is one. A send without a time in an account without quiet
 * hours needs no statement: its accept finds an earlier message. Errors: parameter_invalid, quiet_hours.
 */
export async function planSend(
  ctx: Context,
  { when: { send_at, quiet_hours: choice }, idempotencyKey, to }: SendToPlan,
): Promise<SendPlan | RepeatedContent> {
  if (send_at === undefined && !(await keepsQuietHours(ctx))) return SEND_NOW;
  const asked = dueTimeOf(ctx, send_at);
  const earlier = await findEarlierByKey(ctx, idempotencyKey);
  if (earlier !== null) return { replayOf: earlier };

  const due = await dueAfterQuiet(ctx, { dueAt: asked, choice, to });
  const messageId = due.dueAt === null ? undefined : scheduledId(ctx, due.dueAt);
  return { replayOf: null, ...due, messageId, choice };
}
