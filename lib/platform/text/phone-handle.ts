import "server-only";
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/max";
import { z } from "zod";
import { maxUnits } from "@/lib/platform/text/max-units";

const MAX_HANDLE = 254;
const E164_FORM = "^\\+[1-9]\\d{1,14}$";
const E164 = new RegExp(E164_FORM);
const EMAIL_FORM = "^[^\\s@]{1,64}@[^\\s@]{1,189}\\.[^\\s@.]{1,63}$";
const EMAIL = new RegExp(EMAIL_FORM);

// A new object each time, because zod changes its argument.
const notE164 = (message: string) => ({ error: message, params: { error: "phone_not_e164" } });

/** A phone number in E.164 format (docs/contract.md, section 1.4). Otherwise 1002. */
export const PhoneNumber = z
  .string()
  .refine(
    (value) => E164.test(value),
    notE164(
      "a phone number must be in E.164 format: a leading +, the country code and the number, without spaces or dashes",
    ),
  )
  .meta({
    pattern: E164.source,
    examples: ["+15550100101"],
    description:
      "A phone number in E.164 format: a leading `+`, country code and subscriber number, without spaces or dashes.",
  });

/** A phone number in E.164 format, or an email address, which is converted to lower case. Otherwise 1002. */
export const Handle = z
  .string()
  .check(maxUnits(MAX_HANDLE))
  .refine(
    (value) => E164.test(value) || EMAIL.test(value),
    notE164("a handle must be a phone number in E.164 format or an email address"),
  )
  .transform((value) => value.toLowerCase())
  .meta({
    examples: ["+15550100101"],
    description:
      "A phone number in E.164 format or an email address. Email addresses are converted to lowercase.",
  });

/**
 * The handle of a person who may have written: a phone number or an email address, a short code, or the name of a sender
 * as it came. Otherwise 1002.
 */
export const SenderHandle = z
  .string()
  .check(maxUnits(MAX_HANDLE))
  .refine(
    (value) => isReachable(value) || /^[^+\s@][^@]*$/.test(value),
    notE164(
      "a handle must be a phone number in E.164 format, an email address, a short code or a sender's name",
    ),
  )
  .transform((value) => (isReachable(value) ? value.toLowerCase() : value));

/** Whether messages can be sent to a handle: a phone number in E.164 format or an email address, no short code or name. */
export function isReachable(handle: string): boolean {
  return E164.test(handle) || EMAIL.test(handle);
}

/** SQL: as `isReachable`. */
export function isReachableSql(handle: string): string {
  return `(${handle} ~ '${E164_FORM}' or ${handle} ~ '${EMAIL_FORM}')`;
}

/** Marks that phones and networks put around numbers: zero-width characters, bidi marks, variation selectors. */
const INVISIBLE = /\p{Cf}|\p{Cc}|\p{Variation_Selector}/gu;
const SCHEME = /^(?:tel|sms|mailto):/i;
const WRITTEN_NUMBER = /^\+?[\d\s().\p{Pd}/]+$/u;
/** With the country code, no number of the world is shorter. */
const LEAST_NUMBER = 7;
/** From here on, digits without a + may be a number of another country. */
const LEAST_FOREIGN = 11;

/**
 * Returns a sender as Trunkline stores it, from what a vendor reports (docs/contract.md, section 1.4). A number with
 * its country code becomes E.164, whatever its punctuation; a national number gets the code of `country` (`countryOf`
 * the line, or the line's setting); an email address is converted to lower case. Anything else is a short code or a
 * name and is returned as it came: a number is never guessed. `isReachable` tells whether the result can be answered.
 * Returns an empty text only for a sender without visible characters.
 */
export function normalizeSender(raw: string, country: CountryCode | null): string {
  const shown = raw.toWellFormed().replace(INVISIBLE, "").trim();
  const plain = shown.normalize("NFKC").replace(SCHEME, "").trim();
  const [number = ""] = plain.split(";");
  if (WRITTEN_NUMBER.test(number)) return completeNumber(number.trim(), country) ?? number.trim();
  return plain.includes("@") && EMAIL.test(plain)
    ? plain.toLowerCase()
    : shown.slice(0, MAX_HANDLE).toWellFormed();
}

function completeNumber(written: string, country: CountryCode | null): string | null {
  const digits = written.replace(/\D/g, "");
  if (written.startsWith("+")) {
    if (digits.length < LEAST_NUMBER) return digits;
    return E164.test(`+${digits}`) ? `+${digits}` : null;
  }
  if (country === null) return null;
  const abroad = parsePhoneNumberFromString(`+${digits}`);
  const home = parsePhoneNumberFromString(digits, country);
  if (abroad?.isValid() === true && abroad.countryCallingCode === home?.countryCallingCode)
    return abroad.number;
  if (home !== undefined && (home.isValid() || isWrittenOut(digits, home))) return home.number;
  const isMobile = abroad?.getType()?.includes("MOBILE") === true;
  return isMobile && digits.length >= LEAST_FOREIGN ? (abroad?.number ?? null) : null;
}

// Numbers that no operator has been given yet: all ten digits of North America, or the digits after a trunk prefix.
function isWrittenOut(digits: string, home: { isPossible(): boolean; countryCallingCode: string }): boolean {
  if (!home.isPossible()) return false;
  return home.countryCallingCode === "1" ? /^1?[2-9]\d{9}$/.test(digits) : /^0\d{9,}$/.test(digits);
}

/** The country of a number in E.164 format, or null. A number that several countries share is of the first of them. */
export function countryOf(phoneNumber: string): CountryCode | null {
  const parsed = parsePhoneNumberFromString(phoneNumber);
  return parsed?.country ?? parsed?.getPossibleCountries()[0] ?? null;
}

/** A setting of a transport: the country, such as US, whose national numbers the line gets. */
export const Country = z
  .string()
  .trim()
  .toUpperCase()
  .refine(isSupportedCountry, { error: "must be the two letters of a country, such as US" });
