import "server-only";
import type { Cap } from "@/lib/adapters/transports/transport";
import { partsOf } from "@/lib/messaging/content/content-needs";
import type { MessageContent } from "@/lib/messaging/content/message-content";

/**
 * The content that is omitted over a service without support for it, instead of failing the message
 * (docs/contract.md, section 6.2).
 */
export const OMITTABLE_CONTENT = [
  "effect",
  "decorations",
  "mention",
  "reply",
  "sticker",
  "inline_sticker",
  "link_card",
] as const satisfies readonly Cap[];

type OmittableContent = (typeof OMITTABLE_CONTENT)[number];

/**
 * Returns the content that would be omitted, or become plain text or an image, over a service with the capabilities
 * `caps`.
 */
export function findOmittedContent(content: MessageContent, caps: ReadonlySet<Cap>): OmittableContent[] {
  const parts = partsOf(content);
  const has: Record<OmittableContent, boolean> = {
    effect: content.effect !== undefined,
    reply: content.reply_to !== undefined,
    decorations: parts.some((part) => part.type === "text" && (part.text_decorations ?? []).length > 0),
    mention: parts.some(
      (part) => part.type === "text" && (part.mention !== undefined || part.mentions !== undefined),
    ),
    inline_sticker: parts.some((part) => part.type === "text" && part.inline_stickers !== undefined),
    sticker: parts.some((part) => part.type === "media" && part.sticker),
    link_card: parts.some((part) => part.type === "link"),
  };
  return OMITTABLE_CONTENT.filter((cap) => has[cap] && !caps.has(cap));
}
