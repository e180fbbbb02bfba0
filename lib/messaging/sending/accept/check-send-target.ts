import "server-only";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { findAccountOptions } from "@/lib/identity/accounts/find-account-options";
import { findCapability } from "@/lib/lines/capability/find-capability";
import { lacksIMessage } from "@/lib/messaging/chats/lacks-imessage";
import { iMessageNeed, partsOf } from "@/lib/messaging/content/content-needs";
import type { MessageContent } from "@/lib/messaging/content/message-content";
import { mentionsOf } from "@/lib/messaging/content/text-part";
import type { ResolvedTarget } from "@/lib/messaging/sending/accept/resolve-target";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { ApiError, type ErrorName, fail } from "@/lib/platform/errors/errors";

const CHECK_MS = 2000;

/**
 * Rejects a send that is known to be undeliverable to its target. When a capability is unknown, the send is attempted
 * (docs/contract.md, section 7.4). Errors: group_required, state_conflict (mentions); app_message_needs_imessage,
 * app_clip_needs_imessage, type_not_supported; service_unavailable, rcs_account_missing, rcs_check_unavailable;
 * sender_not_eligible.
 */
export async function checkTarget(
  ctx: Context,
  content: MessageContent,
  place: ResolvedTarget,
): Promise<void> {
  checkMentions(content, place);
  const need = iMessageNeed(content);
  if (need !== null) await requireIMessage(place, need, content.preferred_service);
  // On other lines RCS is only a preference and may be downgraded (docs/contract.md, section 7.4).
  if (content.preferred_service === "RCS" && place.line.lineType === "RCS") await requireRcs(ctx, place);
  if (showsImage(content)) await requireInbound(place);
}

// Groups of any service support mentions. Participants who left can't be mentioned (docs/contract.md, section 6.2).
function checkMentions(content: MessageContent, { isGroup, recipients }: ResolvedTarget): void {
  const mentions = partsOf(content).flatMap((part) => (part.type === "text" ? mentionsOf(part) : []));
  if (mentions.length === 0) return;
  if (!isGroup) fail("group_required", "mentions require a group chat: remove the mention");
  const stranger = mentions.find(({ handle }) => !recipients.includes(handle));
  if (stranger !== undefined)
    fail("state_conflict", `${stranger.handle} is not in this chat: mention a participant`);
}

async function requireIMessage(
  place: ResolvedTarget,
  need: ErrorName,
  preferred: MessageContent["preferred_service"],
): Promise<void> {
  if (place.line.lineType !== "iMessage")
    fail(need, "this line does not support iMessage: send from another line");
  if (preferred !== undefined && preferred !== "iMessage") {
    fail(need, `omit preferred_service or set it to iMessage: ${preferred} does not support this content`);
  }
  if (!(await lacksIMessage(place))) return;
  if (place.service !== null && place.service !== "iMessage") fail(need, `this chat uses ${place.service}`);
  fail("type_not_supported", "a recipient does not have iMessage: send text or media instead");
}

async function requireRcs(ctx: Context, place: ResolvedTarget): Promise<void> {
  const { rcs } = await findAccountOptions(ctx.account.id);
  if (!rcs || !place.lineHasRcs) {
    // Unlike an outage with this code, it does not end by itself.
    const detail = "RCS is off for this line: ask your operator to turn it on";
    throw new ApiError("service_unavailable", detail, undefined, { "x-should-retry": "false" });
  }
  await Promise.all(place.recipients.map((handle) => checkRcs(place, handle)));
}

async function checkRcs(place: ResolvedTarget, handle: string): Promise<void> {
  if (!handle.startsWith("+")) return;
  try {
    await findCapability({ ...place, handle, service: "RCS" }, CHECK_MS);
  } catch (error) {
    const isMissing = error instanceof AdapterError && error.kind === "no_account";
    fail(isMissing ? "rcs_account_missing" : "rcs_check_unavailable");
  }
}

function showsImage(content: MessageContent): boolean {
  const [card] = partsOf(content);
  return card?.type === "imessage_app" && card.layout.image_url !== undefined;
}

const CHAT_HAS_INBOUND = statement(
  "chat-has-inbound",
  `select exists (
  select 1 from messages where account_id = :accountId and chat_id = :chatId and not is_from_me) as wrote`,
);

/**
 * A card with an image requires an inbound message in the chat (docs/contract.md, section 6.5). Errors:
 * sender_not_eligible.
 */
async function requireInbound({ line, chatId }: Pick<ResolvedTarget, "line" | "chatId">): Promise<void> {
  const [row] = await sql.run(CHAT_HAS_INBOUND, { accountId: line.accountId, chatId });
  if (row?.wrote !== true) {
    fail(
      "sender_not_eligible",
      "layout.image_url requires that the recipient has written in this chat: omit layout.image_url",
    );
  }
}
