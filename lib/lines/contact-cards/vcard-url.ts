import "server-only";
import { isSignedText, signText } from "@/lib/platform/crypto/crypto";
import { cdnUrl } from "@/lib/platform/env";
import { now } from "@/lib/platform/time/clock";

const PURPOSE = "vcard address";
const TTL_SECONDS = 24 * 60 * 60;

interface VcardAddress {
  accountId: string;
  lineId: string;
  phoneNumber: string;
}

/** The URL of a line's vCard. Anyone with the URL can download the vCard for 24 hours. */
export function vcardUrl({ accountId, lineId, phoneNumber }: VcardAddress): string {
  const expires = String(now().getTime() + TTL_SECONDS * 1000);
  const signature = signText(PURPOSE, textOf(accountId, lineId, expires));
  const filename = `${phoneNumber.replace("+", "")}.vcf`;
  return `${cdnUrl()}/vcards/${accountId}/${lineId}/${filename}?expires=${expires}&signature=${signature}`;
}

/** Whether the URL has a valid signature of `vcardUrl` and has not expired. */
export function isVcardUrl(
  { accountId, lineId }: Pick<VcardAddress, "accountId" | "lineId">,
  query: URLSearchParams,
): boolean {
  const [expires, signature] = [query.get("expires"), query.get("signature")];
  if (expires === null || signature === null) return false;
  if (!isSignedText(PURPOSE, textOf(accountId, lineId, expires), signature)) return false;
  return now().getTime() <= Number(expires);
}

function textOf(accountId: string, lineId: string, expires: string): string {
  return [accountId, lineId, expires].join("\n");
}
