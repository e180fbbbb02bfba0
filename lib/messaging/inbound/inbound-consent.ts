import "server-only";
import type { InboundMessage } from "@/lib/adapters/transports/inbound";
import { optOutHint } from "@/lib/recipients/opt-outs/opt-out-hint";
import { optOutKeyword } from "@/lib/recipients/opt-outs/opt-out-keyword";

/**
 * The opt-out keyword that is the whole text of a message, or null. Files beside it change nothing: phones add photos to
 * a text, and a file that can't be had must not hide a STOP.
 */
export function keywordOf({ parts }: Pick<InboundMessage, "parts">): string | null {
  const [only, ...more] = parts.filter(({ type }) => type !== "media");
  return only?.type !== "text" || more.length > 0 ? null : optOutKeyword(only.value);
}

/** The word that makes a message a possible opt-out, or null. */
export function hintOf(inbound: Pick<InboundMessage, "parts">): string | null {
  return optOutHint(textOf(inbound));
}

/** The whole text of a message. */
export function textOf({ parts }: Pick<InboundMessage, "parts">): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.value] : [])).join(" ");
}
