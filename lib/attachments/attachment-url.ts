import "server-only";
import { isSignedText, signText } from "@/lib/platform/crypto/crypto";
import { cdnUrl } from "@/lib/platform/env";

// Signatures use the wall clock (docs/contract.md, section 10.3).
const PURPOSE = "attachment address";
const MESSAGE_URL_SECONDS = 60 * 60;
const EPHEMERAL_URL_SECONDS = 15 * 60;

/** The properties of a file that its URLs contain. */
export interface AttachmentAddress {
  partnerId: string;
  attachmentId: string;
  filename: string;
  isEphemeral: boolean;
}

/** The URL of a single file: permanent, or signed for 15 minutes when the file is ephemeral. */
export function downloadUrl(address: AttachmentAddress): string {
  return address.isEphemeral ? signedUrl(address, EPHEMERAL_URL_SECONDS) : plainUrl(address);
}

/** The URL of a file in a message: signed for one hour, or for 15 minutes when the file is ephemeral. */
export function messageUrl(address: AttachmentAddress): string {
  return signedUrl(address, address.isEphemeral ? EPHEMERAL_URL_SECONDS : MESSAGE_URL_SECONDS);
}

/** Checks the signature of a URL: `none` opens permanent files, `valid` opens every file. */
export function checkSignature(
  { partnerId, attachmentId }: Pick<AttachmentAddress, "partnerId" | "attachmentId">,
  query: URLSearchParams,
): "none" | "valid" | "expired" | "forged" {
  const [expires, signature] = [query.get("expires"), query.get("signature")];
  if (expires === null || signature === null) return "none";
  if (!isSignedText(PURPOSE, textOf(partnerId, attachmentId, expires), signature)) return "forged";
  return Date.now() > Number(expires) ? "expired" : "valid";
}

const PATH = /^\/attachments\/partners\/[^/]+\/([0-9a-f-]{36})\/[^/]+$/i;

/** Returns the attachment id in a path on the CDN host, or null for any other path. */
export function attachmentIdOf(path: string): string | null {
  return PATH.exec(path)?.[1]?.toLowerCase() ?? null;
}

function signedUrl(address: AttachmentAddress, ttlSeconds: number): string {
  const expires = String(Date.now() + ttlSeconds * 1000);
  const signature = signText(PURPOSE, textOf(address.partnerId, address.attachmentId, expires));
  return `${plainUrl(address)}?expires=${expires}&signature=${signature}`;
}

function plainUrl({ partnerId, attachmentId, filename }: AttachmentAddress): string {
  return `${cdnUrl()}/attachments/partners/${partnerId}/${attachmentId}/${encodeURIComponent(filename)}`;
}

function textOf(partnerId: string, attachmentId: string, expires: string): string {
  return ["GET", partnerId, attachmentId, expires].join("\n");
}
