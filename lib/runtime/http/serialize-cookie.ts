import "server-only";

interface CookieAttributes {
  httpOnly: boolean;
  sameSite: "lax" | "strict";
  path: string;
  secure: boolean;
  /** In seconds. */
  maxAge: number;
}

/** A Set-Cookie header. The value must contain only characters that cookies allow. */
export function serializeCookie(name: string, value: string, attributes: CookieAttributes): string {
  const { httpOnly, sameSite, path, secure, maxAge } = attributes;
  return [
    `${name}=${value}`,
    `Max-Age=${maxAge}`,
    `Path=${path}`,
    `SameSite=${sameSite}`,
    ...(httpOnly ? ["HttpOnly"] : []),
    ...(secure ? ["Secure"] : []),
  ].join("; ");
}
