import "server-only";
import { z } from "zod";
import { isOwnUrl } from "@/lib/platform/env";
import type { ErrorName } from "@/lib/platform/errors/errors";
import { maxUnits } from "@/lib/platform/text/max-units";

const E164 = /^\+[1-9]\d{1,14}$/;
const MAX_METADATA_KEYS = 49;
const METADATA_KEY = /^(?!trunkline_).{1,40}$/;
/** The largest amount of any currency that a processor takes. The processor has a limit for each. */
const MAX_AMOUNT = 999_999_999_999;
const LEAST_USD_AMOUNT = 50;
const MAX_ITEMS = 100;

const PhoneNumber = z.string().refine((value) => E164.test(value), {
  error: "must be a phone number such as +15551234567",
  params: { error: "phone_not_e164" satisfies ErrorName },
});

const Metadata = z
  .record(
    z.string().regex(METADATA_KEY, "keys must have 1 to 40 characters and can't start with trunkline_"),
    z.string().check(maxUnits(500)),
  )
  .refine(
    (metadata) => Object.keys(metadata).length <= MAX_METADATA_KEYS,
    `can have at most ${MAX_METADATA_KEYS} keys`,
  )
  .describe(
    "Your own keys and values, up to 49 keys. Keys have 1 to 40 characters and must not start with `trunkline_`; values have up to 500 characters. Returned in responses and events, and set on the objects that Trunkline creates at the processor.",
  );

const Discount = z
  .strictObject({
    coupon: z
      .string()
      .min(1)
      .check(maxUnits(200))
      .optional()
      .describe("ID of a coupon at your processor. Set either this or `promotion_code`."),
    promotion_code: z
      .string()
      .min(1)
      .check(maxUnits(200))
      .optional()
      .describe("ID of a promotion code at your processor. Set either this or `coupon`."),
    label: z
      .string()
      .min(1)
      .check(maxUnits(100))
      .optional()
      .describe("Label of the discount at checkout, up to 100 characters."),
  })
  .refine(
    ({ coupon, promotion_code }) => (coupon === undefined) !== (promotion_code === undefined),
    "set coupon or promotion_code, not both",
  );

const RAILS = {
  primary: "primary",
  secondary: "secondary",
  stripe: "primary",
  natural: "secondary",
} as const;

/** Accepts a rail by its name here or by its name in public client programs (docs/contract.md, section 1.5). */
const Rail = z.enum(Object.keys(RAILS) as [keyof typeof RAILS]).transform((name) => RAILS[name]);

/** The URL that the checkout links back to. */
const ReturnUrl = z
  .url({ protocol: /^https?$/ })
  .check(maxUnits(2048))
  .refine(
    (url) => isSecure(url) || URL.parse(url)?.hostname === "localhost",
    "must be an https URL: http is accepted only for this instance and for localhost",
  );

const ItemDetails = z.object({
  name: z.string().min(1).check(maxUnits(200)).describe("Name of the item, up to 200 characters."),
  description: z
    .string()
    .check(maxUnits(500))
    .optional()
    .describe("Description of the item, up to 500 characters."),
  quantity: z.int().min(1).max(10_000).optional().describe("Number of units, 1 to 10000."),
  amount: z
    .int()
    .min(0)
    .max(MAX_AMOUNT)
    .optional()
    .describe(
      "Price of one unit in minor units of the currency. For display only: the `amount` of the request is charged.",
    ),
});

/** One line item: a name alone, or a name with details that the checkout shows. */
const Item = z.union([
  z
    .string()
    .min(1)
    .check(maxUnits(200))
    .transform((name) => ({ name })),
  ItemDetails,
]);

/** A language tag such as fr or es-MX. `auto` and languages without translations leave the choice to the browser. */
const Locale = z
  .string()
  .regex(/^[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8}){0,4}$/, "must be auto or a locale such as en, fr or es-MX");

const Fields = z.strictObject({
  mode: z
    .enum(["payment", "subscription"])
    .default("payment")
    .describe(
      "`payment` for a one-time payment, `subscription` for a recurring price. Defaults to `payment`.",
    ),
  amount: z
    .int()
    .min(1)
    .max(MAX_AMOUNT)
    .optional()
    .describe(
      "Amount in minor units of the currency. Required for a payment, not allowed for a subscription. At least 50 for `usd`. At most 99999999, for `idr` at most 999999999999.",
    ),
  currency: z
    .string()
    .regex(/^[A-Za-z]{3}$/, "must be a currency code such as usd")
    .transform((code) => code.toLowerCase())
    .optional()
    .describe("ISO 4217 currency code. Required for a payment, not allowed for a subscription."),
  description: z
    .string()
    .min(1)
    .check(maxUnits(500))
    .optional()
    .describe("Purpose of the payment, up to 500 characters. Shown at checkout."),
  image_url: z
    .url()
    .check(maxUnits(2048))
    .refine(isSecure, "must be an https URL")
    .optional()
    .describe("HTTPS URL of an image shown at checkout."),
  price_id: z
    .string()
    .regex(/^price_\w{1,200}$/, "must be a price id such as price_…")
    .optional()
    .describe("ID of an active recurring price at your processor. Required for a subscription."),
  quantity: z
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .describe("Number of units of the price. Subscriptions only. Defaults to 1."),
  trial_period_days: z
    .int()
    .min(1)
    .max(730)
    .optional()
    .describe(
      "Length of the free trial in days, 1 to 730. Subscriptions only. Cannot be combined with `trial_end`.",
    ),
  trial_end: z.iso
    .datetime({ offset: true })
    .optional()
    .describe("End of the free trial. Subscriptions only. Cannot be combined with `trial_period_days`."),
  discount: Discount.optional().describe("Discount on a subscription: one coupon or one promotion code."),
  customer_id: z
    .string()
    .regex(/^cus_[\w-]{1,200}$/, "must be a customer id such as cus_…")
    .optional()
    .describe("ID of an existing customer at your processor. The customer is not modified."),
  rail: Rail.default("primary").describe(
    "Rail that the payment settles on. `secondary` requires `from` and `payer_handle`. Defaults to `primary`.",
  ),
  from: PhoneNumber.optional().describe(
    "Line that the request is sent from, in E.164 format. Required for the secondary rail.",
  ),
  payer_handle: PhoneNumber.optional().describe(
    "Phone number of the payer, in E.164 format. Required for the secondary rail.",
  ),
  metadata: Metadata.optional(),
  expires_at: z.iso
    .datetime({ offset: true })
    .optional()
    .describe("When an unpaid request expires. Defaults to 24 hours after creation."),
  success_url: ReturnUrl.optional().describe("URL of the page that the payer returns to after paying."),
  return_url: ReturnUrl.optional().describe("URL of the page that the payer returns to."),
  cancel_url: ReturnUrl.optional().describe("URL of the page that the payer returns to without paying."),
  receipt_email: z
    .email()
    .check(maxUnits(512))
    .optional()
    .describe("Email address that the receipt is sent to."),
  items: z
    .array(Item)
    .max(MAX_ITEMS)
    .optional()
    .describe("Items shown at checkout, up to 100. Each item is a name or an object."),
  locale: Locale.optional().describe(
    "Language of the checkout, such as `en` or `es-MX`. `auto` uses the language of the browser.",
  ),
});

type Field = keyof z.output<typeof Fields>;

const NEEDS = {
  payment: ["amount", "currency"],
  subscription: ["price_id"],
  secondary: ["from", "payer_handle"],
  primary: [],
} as const satisfies Record<string, readonly Field[]>;

const REFUSES = {
  payment: ["price_id", "quantity", "trial_period_days", "trial_end", "discount"],
  subscription: ["amount", "currency"],
} as const satisfies Record<string, readonly Field[]>;

/**
 * The body of a payment request, with every rule that needs no lookup (docs/contract.md, section 13.1). Rejects unknown
 * keys.
 */
export const PaymentRequestBody = Fields.superRefine((body, { addIssue }) => {
  for (const field of [...NEEDS[body.mode], ...NEEDS[body.rail]]) {
    if (body[field] !== undefined) continue;
    const message = `needed in ${field === "from" || field === "payer_handle" ? "rail secondary" : `${body.mode} mode`}`;
    addIssue({
      code: "custom",
      path: [field],
      message,
      params: { error: "field_missing" satisfies ErrorName },
    });
  }
  for (const field of REFUSES[body.mode]) {
    if (body[field] === undefined) continue;
    addIssue({ code: "custom", path: [field], message: `is not supported in ${body.mode} mode` });
  }
  if (body.trial_period_days !== undefined && body.trial_end !== undefined) {
    addIssue({
      code: "custom",
      path: ["trial_end"],
      message: "set trial_end or trial_period_days, not both",
    });
  }
  if (body.currency === "usd" && body.amount !== undefined && body.amount < LEAST_USD_AMOUNT) {
    addIssue({ code: "custom", path: ["amount"], message: `must be at least ${LEAST_USD_AMOUNT} for usd` });
  }
});

function isSecure(url: string): boolean {
  return URL.canParse(url) && (new URL(url).protocol === "https:" || isOwnUrl(new URL(url)));
}
