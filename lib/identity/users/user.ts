import "server-only";
import { z } from "zod";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "@/lib/identity/users/password-rule";
import { EMAIL_ADDRESS, toAsciiDomain } from "@/lib/platform/text/email-address";
import { maxUnits } from "@/lib/platform/text/max-units";

/** The Kelvin sign, the only other letter whose lower-case and composed forms are a letter of ASCII. */
const KELVIN = "\u212a";

/**
 * The email address that a user signs in with; case-insensitive, with its domain in ASCII. An address never becomes another
 * one that a different mailbox has.
 */
export const EmailAddress = z
  .string()
  .refine((address) => !address.includes(KELVIN), "must be an email address")
  .trim()
  .toLowerCase()
  .overwrite(toAsciiDomain)
  .pipe(z.email({ pattern: EMAIL_ADDRESS, error: "must be an email address" }).check(maxUnits(254)));

export const Password = z
  .string()
  .min(MIN_PASSWORD_LENGTH, `a password must have at least ${MIN_PASSWORD_LENGTH} characters`)
  .check(maxUnits(MAX_PASSWORD_LENGTH, `a password can have at most ${MAX_PASSWORD_LENGTH} characters`));

/** A user who has just signed in, with the secret of the new session. */
export interface SignedInUser {
  id: string;
  email: string;
  name: string;
  sessionToken: string;
}
