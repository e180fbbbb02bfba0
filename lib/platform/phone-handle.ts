import "server-only";
import { z } from "zod";
import { maxUnits } from "@/lib/platform/max-units";

const E164 = /^\+[1-9]\d{1,14}$/;
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,189}\.[^\s@.]{1,63}$/;

// A new object each time, because zod changes its argument.
const notE164 = (message: string) => ({ error: message, params: { error: "phone_not_e164" } });

/** A phone number in E.164 format (partner-api.md, General behavior 4). Otherwise 1002. */
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
  .check(maxUnits(254))
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
