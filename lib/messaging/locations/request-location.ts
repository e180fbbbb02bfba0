import "server-only";
import { ChatParams } from "@/lib/messaging/chats/chat";
import { findUsableChat, type UsableChat } from "@/lib/messaging/chats/find-usable-chat";
import { chatLacksIMessage } from "@/lib/messaging/chats/lacks-imessage";
import { queueChatAction } from "@/lib/messaging/chats/queue-chat-action";
import { LocationAck } from "@/lib/messaging/locations/chat-location";
import { requireLocations } from "@/lib/messaging/locations/require-locations";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql, transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

export const RequestLocation = contract({
  summary: "Request a contact's location",
  description:
    "Asks the contact in a direct iMessage chat to share a location. A `location.sharing.started` event follows if the contact agrees. If the contact is already sharing a location, the request fails with 2015.",
  tag: "Locations",
  right: "send_messages",
  params: ChatParams,
  returns: LocationAck,
  status: 200,
  errors: [
    "chat_not_found",
    "access_denied",
    "locations_not_available",
    "chat_unavailable",
    "phone_not_e164",
    "line_restricted",
    "not_in_groups",
    "service_not_supported",
    "state_conflict",
  ],
});

/**
 * Requests the location of the contact in a direct iMessage chat. An event reports when a share begins. Errors: as
 * `RequestLocation`.
 */
export async function requestLocation(ctx: Context, { params }: Input<typeof RequestLocation>) {
  await requireLocations(ctx);
  const chat = await findUsableChat(ctx, params.chatId);
  if (chat.is_group) fail("not_in_groups", "a location can be requested only in a direct chat");
  if (chat.line_type !== "iMessage" || (chat.service !== null && chat.service !== "iMessage")) {
    fail("service_not_supported", "a location can be requested only over iMessage");
  }
  if (await chatLacksIMessage(ctx, { chatId: chat.id })) {
    fail(
      "service_not_supported",
      "the contact does not have iMessage: ask for the location in a text message",
    );
  }

  if (await isSharing(ctx, chat))
    fail("state_conflict", "the contact is already sharing a location with this line");

  await transaction((tx) => queueChatAction(tx, ctx, chat, { kind: "request_location", payload: {} }));
  return { success: true, message: "Location request sent" };
}

const IS_SHARING_LOCATION = statement(
  "is-sharing-location",
  `select 1 from location_shares
  where account_id = :accountId and line_id = :lineId and handle = :recipientHandle and ended_at is null
    and (ends_at is null or ends_at > :now)`,
);

async function isSharing(ctx: Context, { line_id, recipient_handle }: UsableChat): Promise<boolean> {
  const rows = await sql.run(IS_SHARING_LOCATION, {
    accountId: ctx.account.id,
    lineId: line_id,
    recipientHandle: recipient_handle,
    now: ctx.now,
  });
  return rows.length > 0;
}
