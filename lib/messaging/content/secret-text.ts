import "server-only";
import type { StoredPart } from "@/lib/messaging/content/message-part";
import { type SealContext, seal, unseal } from "@/lib/platform/crypto/crypto";

/** The message a secret text belongs to. */
interface MessageRef {
  accountId: string;
  messageId: string;
}

/** The seal context of a secret text. */
export function secretTextContext({ accountId, messageId }: MessageRef): SealContext {
  return { purpose: "text of a message", row: { accountId, id: messageId } };
}

/**
 * A text that only its recipient may read, as a part of a send. The API, webhooks and the dashboard show `shown`
 * instead.
 */
export function secretTextPart(of: MessageRef, text: string, shown: string): StoredPart {
  const sealed = seal(text, secretTextContext(of)).toString("base64");
  return {
    type: "text",
    value: shown,
    sealed,
    text_decorations: null,
    inline_stickers: null,
    mentions: null,
  };
}

/** Returns the text to deliver. Throws UnreadableSecret. */
export function openSecretText(of: MessageRef, sealed: string): string {
  return unseal(Buffer.from(sealed, "base64"), secretTextContext(of));
}
