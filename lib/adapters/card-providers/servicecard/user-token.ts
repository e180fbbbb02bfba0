import "server-only";
import { isSignedText, signText } from "@/lib/platform/crypto/crypto";
import { now } from "@/lib/platform/time/clock";

const TTL_MS = 5 * 60_000;
const PURPOSE = "servicecard user token";

/** Creates a bearer token for one card, valid for five minutes. */
export function makeUserToken(cardRef: string): string {
  const expires = now().getTime() + TTL_MS;
  return `${expires}.${signText(PURPOSE, `${cardRef}.${expires}`)}`;
}

export function isUserToken(cardRef: string, token: string): boolean {
  const [expires = "", signature = ""] = token.split(".", 2);
  if (!/^\d{1,15}$/.test(expires) || Number(expires) < now().getTime()) return false;
  return isSignedText(PURPOSE, `${cardRef}.${expires}`, signature);
}
