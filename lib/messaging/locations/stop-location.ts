import "server-only";
import { z } from "zod";
import { ChatParams } from "@/lib/messaging/chats/chat";
import { findUsableChat, type UsableChat } from "@/lib/messaging/chats/find-usable-chat";
import { queueChatAction } from "@/lib/messaging/chats/queue-chat-action";
import { LocationAck } from "@/lib/messaging/locations/chat-location";
import { endShare } from "@/lib/messaging/locations/end-share";
import { requireLocations } from "@/lib/messaging/locations/require-locations";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { Handle } from "@/lib/platform/text/phone-handle";

export const StopLocation = contract({
  summary: "Stop a contact's location sharing",
  description:
    "Stops a contact's location share. Fails with 2031 if no share is active. `POST /v3/chats/{chatId}/location/stop` and `DELETE /v3/chats/{chatId}/location` are the same operation.",
  tag: "Locations",
  right: "send_messages",
  params: ChatParams,
  body: z
    .object({
      handle: Handle.optional().describe(
        "Phone number or email address of the contact whose share ends, as in `properties.handle`. Optional in direct chats.",
      ),
    })
    .meta({ examples: [{ handle: "+12025550123" }] }),
  bodyOptional: true,
  returns: LocationAck,
  status: 200,
  errors: [
    "field_missing",
    "phone_not_e164",
    "chat_not_found",
    "access_denied",
    "locations_not_available",
    "chat_unavailable",
    "line_restricted",
    "location_share_not_found",
  ],
});

/**
 * Ends the location share of a participant, or of the email address that a share is tied to. The position is erased
 * immediately, and the contact's phone is notified. Errors: as `StopLocation`.
 */
export async function stopLocation(ctx: Context, { params, body }: Input<typeof StopLocation>) {
  await requireLocations(ctx);
  const chat = await findUsableChat(ctx, params.chatId);
  const handle =
    body.handle ?? chat.recipient_handle ?? fail("field_missing", "handle is required in a group");
  if (!handle.includes("@") && !(await isInChat(ctx, chat, handle))) fail("location_share_not_found");

  await transaction(async (tx) => {
    const where = { accountId: ctx.account.id, lineId: chat.line_id, handle };
    const ended = await endShare(tx, where, { endedAt: ctx.now, traceId: ctx.traceId });
    if (!ended) fail("location_share_not_found");
    await queueChatAction(tx, ctx, chat, { kind: "stop_location", payload: { handle } });
  });
  return { success: true, message: "Location sharing stopped" };
}

const IS_IN_CHAT = statement(
  "is-in-chat",
  "select 1 from participants where account_id = :accountId and chat_id = :chatId and handle = :handle and not is_me",
);

async function isInChat(ctx: Context, chat: UsableChat, handle: string): Promise<boolean> {
  const rows = await sql.run(IS_IN_CHAT, { accountId: ctx.account.id, chatId: chat.id, handle });
  return rows.length > 0;
}
