import { z } from "zod";

const MAX_ZONE_CHARS = 64;

/** An IANA time zone in a request. */
export const TimeZone = z
  .string()
  .max(MAX_ZONE_CHARS)
  // Offsets such as +01:00 are no names: PostgreSQL reads them with the opposite sign.
  .regex(/^[A-Za-z][A-Za-z0-9_+/-]*$/)
  .refine(isTimeZone, "an IANA time zone is required, for example Europe/Berlin");

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
