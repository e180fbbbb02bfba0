import "server-only";
import { z } from "zod";
import { ServiceType } from "@/lib/chats/chat-handle";
import { RequestPart } from "@/lib/messages/message-part";
import { isOwnUrl } from "@/lib/platform/env";

const PARTS_MOST = 100;
const PUBLIC_URLS_MOST = 40;

const SCREEN_EFFECTS = [
  "confetti",
  "fireworks",
  "lasers",
  "sparkles",
  "celebration",
  "hearts",
  "love",
  "balloons",
  "happy_birthday",
  "echo",
  "spotlight",
] as const;
const BUBBLE_EFFECTS = ["slam", "loud", "gentle", "invisible"] as const;

/** An effect of the family its name belongs to (partner-api.md, MessageEffect). */
export const MessageEffect = z
  .discriminatedUnion("type", [
    z.object({ type: z.literal("screen"), name: z.enum(SCREEN_EFFECTS) }),
    z.object({ type: z.literal("bubble"), name: z.enum(BUBBLE_EFFECTS) }),
  ])
  .meta({ id: "MessageEffect" });

/** The part of a message that is replied to (partner-api.md, ReplyTo). */
export const ReplyTo = z
  .object({ message_id: z.uuid(), part_index: z.int().min(0).max(PARTS_MOST).default(0) })
  .meta({ id: "ReplyTo" });

/** What a send carries (partner-api.md, MessageContent). */
export const MessageContent = z
  .object({
    parts: z.array(RequestPart).min(1).max(PARTS_MOST),
    effect: MessageEffect.optional(),
    idempotency_key: z.string().min(1).max(255).optional(),
    preferred_service: ServiceType.optional(),
    reply_to: ReplyTo.optional(),
    experience: z.undefined({ error: "experiences are not supported by this version" }).optional(),
  })
  .superRefine(({ parts }, issues) => {
    const second = parts.findIndex(
      (part, index) => index > 0 && part.type === "text" && parts[index - 1]?.type === "text",
    );
    if (second !== -1) {
      issues.addIssue({
        code: "custom",
        path: ["parts", second],
        message: "two text parts may not be adjacent: separate them with a media part",
      });
    }
    if (parts.filter(isPublicUrl).length > PUBLIC_URLS_MOST) {
      issues.addIssue({
        code: "custom",
        path: ["parts"],
        message: `at most ${PUBLIC_URLS_MOST} media parts may have a public url: upload the others first`,
      });
    }
  })
  .meta({ id: "MessageContent" });

export type MessageContent = z.infer<typeof MessageContent>;

// Addresses of our own files are not downloaded (contract.md 0).
function isPublicUrl(part: RequestPart): boolean {
  if (part.type !== "media" || part.url === undefined) return false;
  const url = URL.parse(part.url);
  return url === null || !isOwnUrl(url);
}
