import "server-only";
import type { StoredPart } from "@/lib/messages/message-part";
import { seal, unseal } from "@/lib/platform/crypto";

const PURPOSE = "text of a message";

/**
 * A text only its recipient may read, as a part to be accepted: whoever reads the message here, by the API, a webhook or
 * the dashboard, sees `shown`.
 */
export function secretTextPart(text: string, shown: string): StoredPart {
  const sealed = seal(text, PURPOSE).toString("base64");
  return {
    type: "text",
    value: shown,
    sealed,
    text_decorations: null,
    inline_stickers: null,
    mentions: null,
  };
}

/** The text that is delivered. */
export function openSecretText(sealed: string): string {
  return unseal(Buffer.from(sealed, "base64"), PURPOSE);
}
