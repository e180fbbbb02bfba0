import "server-only";
import { ChatParams } from "@/lib/messaging/chats/chat";
import { throwNotFoundOrDenied } from "@/lib/messaging/chats/find-chat";
import { ChatLocation, toFeature } from "@/lib/messaging/locations/chat-location";
import { requireLocations } from "@/lib/messaging/locations/require-locations";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

export const GetChatLocation = contract({
  summary: "Get the locations shared in a chat",
  description:
    "Returns the locations that contacts currently share in a chat. The platform determines how often positions are refreshed: poll every few minutes. Webhook events report only the start and the end of a share.",
  tag: "Locations",
  right: "view_chats",
  params: ChatParams,
  returns: ChatLocation,
  status: 200,
  errors: ["chat_not_found", "access_denied", "locations_not_available"],
});

const GET_CHAT_LOCATION = statement(
  "get-chat-location",
  `select s.handle as "handle!", s.longitude as "longitude!", s.latitude as "latitude!", s.altitude, s.address, s.locality, s.position_at as "position_at!"
  from chats c left join lateral (
    select s.* from participants p join location_shares s
      on s.account_id = p.account_id and s.line_id = c.line_id and s.handle = p.handle
    where p.account_id = c.account_id and p.chat_id = c.id and not p.is_me and p.status = 'active'
      and s.ended_at is null and (s.ends_at is null or s.ends_at > :now) and s.position_at is not null
  ) s on true
  where c.account_id = :accountId and c.id = :chatId order by s.handle`,
);

/**
 * Returns the locations of participants who share with this line from a handle in the chat. A share from an email
 * address is not visible in the chat of the same person's phone number (docs/contract.md, section 8.4). Errors: as
 * `GetChatLocation`.
 */
export async function getChatLocation(ctx: Context, { params }: Input<typeof GetChatLocation>) {
  await requireLocations(ctx);
  const rows = await sql.run(GET_CHAT_LOCATION, {
    accountId: ctx.account.id,
    chatId: params.chatId,
    now: ctx.now,
  });
  if (rows.length === 0) return throwNotFoundOrDenied(params.chatId);

  const features = rows.flatMap((row) => (row.handle === null ? [] : [toFeature(row)]));
  return { success: true, data: { type: "FeatureCollection" as const, features } };
}
