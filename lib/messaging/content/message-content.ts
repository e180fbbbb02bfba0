import "server-only";
import { z } from "zod";
import { RequestEffect } from "@/lib/messaging/content/message-effect";
import { RequestPart } from "@/lib/messaging/content/message-part";
import { isOwnUrl } from "@/lib/platform/env";
import type { ErrorName } from "@/lib/platform/errors/errors";
import { maxUnits } from "@/lib/platform/text/max-units";
import { ServiceType } from "@/lib/recipients/handles/chat-handle";

const MAX_PARTS = 100;
const MAX_PUBLIC_URLS = 40;

/** Available on every send: allows a last courtesy message to a recipient who opted out. */
export const OverrideOptout = z
  .boolean()
  .default(false)
  .describe(
    "`true` sends the message even if the recipient opted out, for example for a final courtesy message. Defaults to `false`.",
  );

/** A key that makes the retry of a send safe. */
export const IdempotencyKey = z.string().min(1).check(maxUnits(255));

/** The part of a message that is replied to (docs/contract.md, section 6.1). */
export const ReplyTo = z
  .object({
    message_id: z.uuid().describe("ID of the message to reply to. Must be in the same chat."),
    part_index: z
      .int()
      .min(0)
      .max(MAX_PARTS)
      .default(0)
      .describe("Index of the part to reply to, starting at 0. Defaults to 0."),
  })
  .meta({
    id: "ReplyTo",
    description: "The message and part that a message replies to.",
    examples: [{ message_id: "019ca9c2-7310-7e75-8b44-6fa051829304", part_index: 0 }],
  });

/** The `experience` of a send (docs/contract.md, section 6.1). */
const ExperienceInvocation = z
  .object({
    name: z.string().check(maxUnits(64)).describe("Name of the experience."),
    action: z.string().check(maxUnits(64)).describe("Name of the action."),
    params: z
      .record(z.string(), z.unknown())
      .default({})
      .describe("Fields of the action, as `GET /v3/experiences` lists them."),
  })
  .meta({
    id: "ExperienceInvocation",
    description:
      "A native card to send. Goes to exactly one recipient; SMS and RCS recipients cannot receive cards.",
    examples: [
      {
        name: "servicepay",
        action: "request_payment",
        params: { checkout_url: "https://pay.example.com/pay/harbor-kitchen?session=tlpay_example" },
      },
    ],
  });

export type ExperienceInvocation = z.infer<typeof ExperienceInvocation>;

/** The content of a send: parts, or one experience (docs/contract.md, section 6.1). */
export const MessageContent = z
  .object({
    parts: z
      .array(RequestPart)
      .min(1)
      .max(MAX_PARTS)
      .optional()
      .describe("Parts of the message in order, 1 to 100. Two text parts cannot be adjacent."),
    experience: ExperienceInvocation.optional().describe("A native card. Goes to exactly one recipient."),
    effect: RequestEffect.optional().describe("Effect shown with the message. iMessage only."),
    idempotency_key: IdempotencyKey.optional().describe(
      "Key that makes a retry safe, up to 255 characters. A repeated request returns the original message and sends nothing.",
    ),
    preferred_service: ServiceType.optional().describe(
      "Preferred service. If the recipient does not support it, another service is used.",
    ),
    reply_to: ReplyTo.optional().describe("The message to reply to."),
  })
  .superRefine(({ parts, experience }, issues) => {
    if (parts === undefined && experience === undefined) {
      const params = { error: "field_missing" satisfies ErrorName };
      issues.addIssue({ code: "custom", path: ["parts"], message: "set parts or experience", params });
    }
    if (parts !== undefined && experience !== undefined) {
      issues.addIssue({
        code: "custom",
        path: ["experience"],
        message: "set parts or experience, not both",
      });
    }
    for (const issue of findCombinationErrors(parts ?? [])) issues.addIssue({ code: "custom", ...issue });
  })
  .meta({
    id: "MessageContent",
    description: "Content of a message: `parts` or one `experience`, never both.",
    examples: [
      { parts: [{ type: "text", value: "Your table is ready." }], idempotency_key: "order-1042-ready" },
    ],
  });

export type MessageContent = z.infer<typeof MessageContent>;

interface WrongPart {
  path: (string | number)[];
  message: string;
}

/** Returns the error in the combination of parts (docs/contract.md, section 6.1). */
function findCombinationErrors(parts: readonly RequestPart[]): WrongPart[] {
  return [...findAdjacencyErrors(parts), ...findExclusivityErrors(parts), ...findCountErrors(parts)];
}

function findAdjacencyErrors(parts: readonly RequestPart[]): WrongPart[] {
  const second = parts.findIndex(
    (part, index) => index > 0 && part.type === "text" && parts[index - 1]?.type === "text",
  );
  const message = "two text parts can't be adjacent: separate them with a media part";
  return second === -1 ? [] : [{ path: ["parts", second], message }];
}

const ALONE: ReadonlySet<string> = new Set([
  "link",
  "app_clip",
  "imessage_app",
] satisfies RequestPart["type"][]);

function findExclusivityErrors(parts: readonly RequestPart[]): WrongPart[] {
  if (parts.length === 1) return [];
  const alone = parts.findIndex((part) => ALONE.has(part.type));
  if (alone !== -1) {
    const message = `a part of type ${parts[alone]?.type} must be the only part of its message`;
    return [{ path: ["parts", alone], message }];
  }
  const sticker = parts.findIndex((part) => part.type === "media" && part.sticker);
  const isPair = parts.length === 2 && parts.some((part) => part.type === "text");
  const message = "a message with a sticker can have at most one text part";
  return sticker === -1 || isPair ? [] : [{ path: ["parts", sticker], message }];
}

function findCountErrors(parts: readonly RequestPart[]): WrongPart[] {
  if (parts.filter(isPublicUrl).length <= MAX_PUBLIC_URLS) return [];
  const message = `at most ${MAX_PUBLIC_URLS} media parts can have a public URL: upload the other files first`;
  return [{ path: ["parts"], message }];
}

// Trunkline's own URLs are not downloaded (docs/contract.md, section 6.1).
function isPublicUrl(part: RequestPart): boolean {
  if (part.type !== "media" || part.url === undefined) return false;
  const url = URL.parse(part.url);
  return url === null || !isOwnUrl(url);
}
