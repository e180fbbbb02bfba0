import "server-only";
import { failWithoutScheduled } from "@/lib/messaging/scheduled/missing-scheduled";
import { findScheduled } from "@/lib/messaging/scheduled/schedule-message";
import {
  ScheduledMessage,
  ScheduledParams,
  toScheduledMessage,
} from "@/lib/messaging/scheduled/scheduled-message";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";

export const GetScheduledMessage = contract({
  summary: "Get a scheduled message",
  description:
    "Returns a message that waits for its time. Once it is sent or refused, this fails with 2015 and `GET /v3/messages/{messageId}` returns it. A Trunkline extension.",
  tag: "Messages",
  right: "view_chats",
  params: ScheduledParams,
  returns: ScheduledMessage,
  status: 200,
  errors: ["message_not_found", "access_denied", "state_conflict"],
  extension: true,
});

/** Returns a message that waits for its time. Errors: as `GetScheduledMessage`. */
export async function getScheduledMessage(
  ctx: Context,
  { params }: Pick<Input<typeof GetScheduledMessage>, "params">,
): Promise<ScheduledMessage> {
  const row = await findScheduled(ctx, params.messageId);
  return row === null ? failWithoutScheduled(ctx, params.messageId) : toScheduledMessage(row);
}
