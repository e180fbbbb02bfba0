import "server-only";
import { isSecure } from "@/lib/identity/sessions/session-token";
import { isSignedText, signText } from "@/lib/platform/crypto/crypto";
import { secretBytes } from "@/lib/platform/ids";

const PURPOSE = "sign-in device";
const MAX_AGE_SECONDS = 400 * 24 * 60 * 60;

/**
 * The cookie of a browser in which a user has signed in before. Failed sign-ins from this browser are counted
 * separately, so that failures elsewhere do not lock the user out. The cookie does not sign the user in.
 */
export function deviceCookie() {
  const secure = isSecure();
  return {
    name: secure ? "__Secure-trunkline_device" : "trunkline_device",
    options: { httpOnly: true, sameSite: "lax", path: "/api/auth", secure, maxAge: MAX_AGE_SECONDS },
  } as const;
}

/** A cookie value that makes a browser a known device of the user. */
export function newDeviceToken(userId: string): string {
  const device = secretBytes(16).toString("base64url");
  return `${device}.${signText(PURPOSE, `${userId} ${device}`)}`;
}

/** Returns the device of a cookie value, or null when the device does not belong to this user. */
export function knownDevice(userId: string, token: string | undefined): string | null {
  const [device = "", signature = ""] = token?.split(".") ?? [];
  return device !== "" && isSignedText(PURPOSE, `${userId} ${device}`, signature) ? device : null;
}
