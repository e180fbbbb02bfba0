import "server-only";
import type { MessageContent } from "@/lib/messaging/content/message-content";
import type { ErrorName } from "@/lib/platform/errors/errors";

/** The parts of a message's content; empty for an experience. */
export function partsOf({ parts = [] }: MessageContent) {
  return parts;
}

/**
 * The error for content that requires iMessage, when iMessage is unavailable; null for content that any service can
 * carry.
 */
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

/** Whether the checks of the content depend on the chat's participants or their capabilities. */
export function needsPlace(content: MessageContent): boolean {
  return iMessageNeed(content) !== null || content.preferred_service === "RCS" || hasMentions(content);
}

function hasMentions(content: MessageContent): boolean {
  return partsOf(content).some(
    (part) => part.type === "text" && (part.mention !== undefined || part.mentions !== undefined),
  );
}

/** Whether the content contains a link: a link part, or a URL in a text. */
export function containsLink(content: MessageContent): boolean {
  return partsOf(content).some(
    (part) => part.type === "link" || (part.type === "text" && /\bhttps?:\/\/\S|\bwww\.\S/i.test(part.value)),
  );
}
