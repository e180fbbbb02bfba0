import "server-only";
import { z } from "zod";
import type { ResponsePart } from "@/lib/messaging/content/message-part";
import type { MessageView } from "@/lib/messaging/messages/message-view";
import { redactWalletLinks } from "@/lib/platform/rights/redact-wallet-links";

const FileName = z.object({ filename: z.string() });

/** A part as the simulated network carried it (OutPart and InPart), without the bytes of files. */
const SentPart = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), value: z.string() }),
  z.object({ type: z.literal("link"), url: z.string() }),
  z.object({ type: z.literal("app_clip"), url: z.string() }),
  z.object({ type: z.literal("app_card"), fallbackText: z.string().nullable(), url: z.string() }),
  FileName.extend({ type: z.literal("media") }),
  z.object({ type: z.literal("poll") }),
]);

type SentPart = z.infer<typeof SentPart>;

const SENT_TYPES: Readonly<Record<ResponsePart["type"], SentPart["type"]>> = {
  text: "text",
  link: "link",
  app_clip: "app_clip",
  imessage_app: "app_card",
  media: "media",
};

/**
 * Returns the parts that a phone shows. The network may have carried other parts than the message has, such as a text
 * instead of a card. Then the phone shows the network's parts, as texts. With `showSecrets`, one-time codes and links to
 * a wallet are shown as the network carried them; the stored message does not contain them.
 */
export function readSentParts(
  sent: unknown,
  stored: Pick<MessageView, "parts" | "edits"> | null,
  showSecrets: boolean,
): ResponsePart[] {
  const parts = z.array(SentPart).catch([]).parse(sent);
  if (stored !== null && isSame(parts, stored.parts)) {
    const isAsSent = showSecrets && stored.edits.length === 0;
    return stored.parts.map((part, at) => (isAsSent ? withSecrets(part, parts[at]) : part));
  }
  return parts.flatMap((part) => {
    const value = textOf(part);
    return value === null ? [] : [toText(showSecrets ? value : redactWalletLinks(value))];
  });
}

function isSame(sent: readonly SentPart[], stored: readonly ResponsePart[]): boolean {
  return stored.length === sent.length && stored.every(({ type }, at) => SENT_TYPES[type] === sent[at]?.type);
}

function withSecrets(part: ResponsePart, sent: SentPart | undefined): ResponsePart {
  if (part.type === "text" && sent?.type === "text") return { ...part, value: sent.value };
  if (part.type === "link" && sent?.type === "link") return { ...part, value: sent.url };
  if (part.type === "imessage_app" && sent?.type === "app_card") return { ...part, url: sent.url };
  return part;
}

function textOf(part: SentPart): string | null {
  switch (part.type) {
    case "text":
      return part.value;
    case "media":
      return part.filename;
    case "app_card":
      return [part.fallbackText, part.url].filter(Boolean).join(" ");
    case "poll":
      return null;
    default:
      return part.url;
  }
}

function toText(value: string): ResponsePart {
  return {
    type: "text",
    value,
    text_decorations: null,
    inline_stickers: null,
    mentions: null,
    mention: null,
    mention_range: null,
    reactions: null,
  };
}
