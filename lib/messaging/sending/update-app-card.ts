import "server-only";
import {
  AppIdentity,
  CardContent,
  cardErrors,
  StoredAppCardPart,
} from "@/lib/messaging/content/app-card-part";
import { IdempotencyKey } from "@/lib/messaging/content/message-content";
import { throwNotFoundOrDenied } from "@/lib/messaging/messages/find-message";
import { MessageParams } from "@/lib/messaging/messages/message";
import {
  acceptPrepared,
  type PreparedContent,
  prepareMessage,
} from "@/lib/messaging/sending/prepare-message";
import { acceptContent, repeatedMessage, SendMessage } from "@/lib/messaging/sending/send-message";
import type { Context } from "@/lib/platform/context";
import { contract, type Input, MESSAGE_BODY_LIMIT_BYTES } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import type { DeliveryStatus } from "@/lib/platform/prisma/enums";

/** Later clients also send the app. It defaults to the original card's app. */
const CardUpdate = CardContent.extend({
  app: AppIdentity.optional().describe(
    "The app that the card belongs to. Defaults to the app of the original card.",
  ),
  idempotency_key: IdempotencyKey.optional().describe(
    "Key that makes a retry safe, up to 255 characters. A repeated request returns the original message and sends nothing. A Trunkline extension.",
  ),
});

export const UpdateAppCard = contract({
  summary: "Replace an iMessage app card",
  description:
    "Replaces, in place, an iMessage app card that you sent. The original must be delivered; otherwise the request fails with 2015. The response contains a new message with its own ID.",
  tag: "Messages",
  right: "send_messages",
  params: MessageParams,
  body: cardErrors(CardUpdate, {})
    .pipe(CardUpdate)
    .meta({
      examples: [
        {
          layout: { caption: "Your move", subcaption: "Round 3" },
          fallback_text: "Your move",
          url: "https://example.com/games/42",
        },
      ],
    }),
  bodyLimitBytes: MESSAGE_BODY_LIMIT_BYTES,
  returns: SendMessage.returns,
  status: 202,
  errors: SendMessage.errors,
});

/**
 * Replaces an earlier card with a new one, as a message with its own id. The app stays the same unless one is given
 * (docs/contract.md, section 6.5). Errors: parameter_invalid when the message is not an outbound app card;
 * state_conflict until it was delivered; and as `SendMessage`.
 */
export async function updateAppCard(ctx: Context, { params, body }: Input<typeof UpdateAppCard>) {
  const { messageId } = params;
  const original = await findOwnCard(ctx, messageId);
  if (!isDelivered(original))
    fail("state_conflict", "the app card is not delivered yet: wait for message.delivered");

  const { app = original.card.app, idempotency_key, ...card } = body;
  const content = {
    parts: [{ type: "imessage_app" as const, app, ...card }],
    ...(idempotency_key !== undefined && { idempotency_key }),
  };
  const { chatId } = original;
  const prepared = await prepareMessage(ctx, content, { chatId });
  if (prepared.replayOf !== null) return repeatedMessage(ctx, prepared.replayOf);
  const replacing = inPlaceOf(messageId, prepared);
  const sent = await acceptPrepared(prepared, acceptContent(ctx, chatId, replacing, false));
  if (sent.replayOf !== null) return repeatedMessage(ctx, sent.replayOf);

  return { chat_id: chatId, message: sent.message };
}

interface OwnCard {
  chatId: string;
  isGroup: boolean;
  status: DeliveryStatus;
  card: StoredAppCardPart;
}

const FIND_APP_CARD = statement(
  "find-app-card",
  `select m.chat_id as "chatId", c.is_group as "isGroup", m.delivery_status as status,
    m.is_from_me as "isFromMe", m.parts->0 as part
  from messages m join chats c on c.account_id = m.account_id and c.id = m.chat_id
  where m.account_id = :accountId and m.id = :messageId and m.deleted_at is null`,
);

async function findOwnCard(ctx: Context, messageId: string): Promise<OwnCard> {
  const [row] = await sql.run(FIND_APP_CARD, { accountId: ctx.account.id, messageId });
  if (row === undefined) return throwNotFoundOrDenied(ctx, messageId);
  const card = StoredAppCardPart.safeParse(row.part);
  if (!row.isFromMe || !card.success || card.data.experience !== null) {
    fail("parameter_invalid", "only an imessage_app card that you sent can be updated");
  }
  return { ...row, card: card.data };
}

// Groups report no deliveries, so `sent` is the last known status there.
function isDelivered({ status, isGroup }: OwnCard): boolean {
  return status === "delivered" || status === "read" || (isGroup && status === "sent");
}

function inPlaceOf(messageId: string, prepared: PreparedContent): PreparedContent {
  const parts = prepared.parts.map((part) =>
    part.type === "imessage_app" ? { ...part, replaces: messageId } : part,
  );
  return { ...prepared, parts };
}
