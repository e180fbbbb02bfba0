import "server-only";
import { z } from "zod";
import { findUsableChat } from "@/lib/chats/find-usable-chat";
import { chatLacksIMessage } from "@/lib/chats/lacks-imessage";
import { queueChatAction } from "@/lib/chats/queue-chat-action";
import { LocationAck } from "@/lib/locations/chat-location";
import { requireLocations } from "@/lib/locations/require-locations";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/db";
import { fail } from "@/lib/platform/errors";

export const RequestLocation = contract({
  summary: "Ask a contact to share a location",
  tag: "Locations",
  params: z.object({ chatId: z.uuid() }),
  returns: LocationAck,
  status: 200,
  errors: [
    "chat_not_found",
    "access_denied",
    "locations_not_available",
    "chat_unavailable",
    "line_restricted",
    "not_in_groups",
    "service_not_supported",
  ],
});

/** Asks the contact of a direct iMessage chat; whether a share begins, an event tells. Errors: as `RequestLocation`. */
export async function requestLocation(ctx: Context, { params }: Input<typeof RequestLocation>) {
  await requireLocations(ctx);
  const chat = await findUsableChat(ctx, params.chatId);
  if (chat.is_group) fail("not_in_groups", "a location can only be asked for in a direct chat");
  if (chat.line_type !== "iMessage" || (chat.service !== null && chat.service !== "iMessage")) {
    fail("service_not_supported", "a location can only be asked for over iMessage");
  }
  if (await chatLacksIMessage(ctx, { chatId: chat.id })) {
    fail("service_not_supported", "the contact has no iMessage: ask in a text message");
  }

  await transaction((tx) => queueChatAction(tx, ctx, chat, { kind: "request_location", payload: {} }));
  return { success: true, message: "Location request sent" };
}
