import "server-only";
import type { MessageContent } from "@/lib/messaging/messages/message-content";
import type { ErrorName } from "@/lib/platform/errors";

/** The parts of a content; none where it is an experience. */
export function partsOf({ parts = [] }: MessageContent) {
  return parts;
}

/** Why a content goes over iMessage only: what is refused with where there is none. null = it may go over anything. */
export function iMessageNeed({ experience, parts }: MessageContent): ErrorName | null {
  if (experience !== undefined) return "app_message_needs_imessage";
  switch (parts?.[0]?.type) {
    case "imessage_app":
      return "app_message_needs_imessage";
    case "app_clip":
      return "app_clip_needs_imessage";
    default:
      return null;
  }
}

/** Whether a content's rules depend on where it goes: on who is in the chat, or on what reaches them. */
export function needsPlace(content: MessageContent): boolean {
  return iMessageNeed(content) !== null || content.preferred_service === "RCS" || hasMentions(content);
}

function hasMentions(content: MessageContent): boolean {
  return partsOf(content).some(
    (part) => part.type === "text" && (part.mention !== undefined || part.mentions !== undefined),
  );
}

/** Whether a content holds a link: a link part, or a URL in a text. */
export function holdsLink(content: MessageContent): boolean {
  return partsOf(content).some(
    (part) => part.type === "link" || (part.type === "text" && /\bhttps?:\/\/\S|\bwww\.\S/i.test(part.value)),
  );
}
