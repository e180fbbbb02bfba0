import "server-only";
import type { OutPart } from "@/lib/adapters/transports/outbound";
import type { Cap } from "@/lib/adapters/transports/transport";
import type { StoredPart } from "@/lib/messaging/content/message-part";
import { openSecretText } from "@/lib/messaging/content/secret-text";
import type { StoredTextPart } from "@/lib/messaging/content/text-part";
import type { ClaimedMessage } from "@/lib/messaging/dispatch/claim/claim-statement";
import { toOutCard } from "@/lib/messaging/dispatch/compose/delivered-card";
import { FileDeletedError, toOutMedia } from "@/lib/messaging/dispatch/compose/delivered-file";
import type { ErrorName } from "@/lib/platform/errors/errors";

/** Why a message's parts cannot be sent. */
interface Undeliverable {
  error: ErrorName;
  reason: string;
}

/** The capability that each part requires. A part whose capability is missing is omitted or becomes text. */
const NEEDS = {
  text: null,
  link: null,
  media: "media",
  app_clip: "app_clip",
  imessage_app: "app_card",
} as const satisfies Record<StoredPart["type"], Cap | null>;

const NAMES = {
  media: "files",
  app_clip: "app clips",
  app_card: "app cards",
} as const;

function deliveredPoll(
  { poll_options }: ClaimedMessage,
  caps: ReadonlySet<Cap>,
): { parts: OutPart[] } | Undeliverable {
  if (!caps.has("poll"))
    return { error: "type_not_supported", reason: "this service does not support polls" };
  return {
    parts: [{ type: "poll", options: (poll_options ?? []).map(({ ref, text }) => ({ id: ref, text })) }],
  };
}

/**
 * Returns a message's parts for the transport: content that the service does not support is omitted, and files are
 * converted.
 */
export async function deliveredParts(
  message: ClaimedMessage,
  caps: ReadonlySet<Cap>,
): Promise<{ parts: OutPart[] } | Undeliverable> {
  if (message.kind === "poll") return deliveredPoll(message, caps);
  const missing = message.parts
    .map((part) => NEEDS[part.type])
    .find((need) => need !== null && !caps.has(need));
  if (missing != null) {
    return { error: "type_not_supported", reason: `this service does not support ${NAMES[missing]}` };
  }
  try {
    const parts = await Promise.all(message.parts.map((part) => toOutPart(message, part, caps)));
    return { parts: message.kind === "voice_memo" ? parts.map(asVoiceMemo) : parts };
  } catch (error) {
    if (!(error instanceof FileDeletedError)) throw error;
    return { error: "delivery_failed", reason: `${error.filename} was deleted before it was sent` };
  }
}

function asVoiceMemo(part: OutPart): OutPart {
  return part.type === "media" ? { ...part, voiceMemo: true } : part;
}

async function toOutPart(
  message: ClaimedMessage,
  part: StoredPart,
  caps: ReadonlySet<Cap>,
): Promise<OutPart> {
  const accountId = message.account_id;
  switch (part.type) {
    case "text":
      return toOutText(message, part, caps);
    case "media":
      return toOutMedia(accountId, part, part.sticker && caps.has("sticker"));
    case "link":
      return caps.has("link_card") ? { type: "link", url: part.value } : plainText(part.value);
    case "app_clip":
      return { type: "app_clip", url: part.value };
    case "imessage_app":
      return toOutCard(accountId, part);
  }
}

// Over SMS and RCS, text is sent unchanged (docs/contract.md, section 6.2).
async function toOutText(
  { account_id: accountId, id: messageId }: ClaimedMessage,
  { value, sealed, text_decorations, mentions, inline_stickers }: StoredTextPart,
  caps: ReadonlySet<Cap>,
): Promise<OutPart> {
  const placed = caps.has("inline_sticker") ? (inline_stickers ?? []) : [];
  return {
    ...plainText(sealed === undefined ? value : openSecretText({ accountId, messageId }, sealed)),
    decorations: caps.has("decorations") ? (text_decorations ?? []) : [],
    mentions: caps.has("mention") ? (mentions ?? []).map(({ range, handle }) => ({ range, handle })) : [],
    stickers: await Promise.all(
      placed.map(async (file) => ({ range: file.range, image: await toOutMedia(accountId, file, true) })),
    ),
  };
}

function plainText(value: string) {
  return { type: "text" as const, value, decorations: [], mentions: [], stickers: [] };
}
