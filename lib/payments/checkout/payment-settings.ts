import "server-only";
import { z } from "zod";
import type { NewFile } from "@/lib/attachments/insert-attachments";
import { discardFiles } from "@/lib/attachments/store/store-file";
import { changedFields } from "@/lib/identity/audit/changed-fields";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { findBranding } from "@/lib/payments/checkout/checkout-branding";
import { insertLogo, storeLogo } from "@/lib/payments/checkout/checkout-logo";
import { findConnectRefusal } from "@/lib/payments/processors/connect-processor";
import { findConnection } from "@/lib/payments/processors/find-merchant";
import { ensureSlug } from "@/lib/payments/requests/ensure-slug";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { hasSqlState } from "@/lib/platform/database/has-sql-state";
import { plannedStatement } from "@/lib/platform/database/statement";
import { checkoutUrl } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors/errors";
import { maxUnits } from "@/lib/platform/text/max-units";

const UNIQUE_VIOLATION = "23505";
const BODY_LIMIT_BYTES = 4 * 1024 * 1024;

/** The payment processor and the checkout branding of an account. */
const PaymentSettings = z.object({
  processor: z.string().nullable(),
  merchant_id: z.string().nullable(),
  can_charge: z.boolean(),
  /** Why Stripe can't be connected on this instance; null when it can. */
  connect_refusal: z.string().nullable(),
  checkout_base: z.url(),
  slug: z.string(),
  name: z.string(),
  color: z.string().nullable(),
  logo_url: z.url().nullable(),
});

export type PaymentSettings = z.infer<typeof PaymentSettings>;

export const GetPaymentSettings = contract({
  summary: "Get the payment settings",
  tag: "Payment settings",
  right: "view_payments",
  returns: PaymentSettings,
  status: 200,
  errors: [],
});

export const UpdateBranding = contract({
  summary: "Update the checkout branding",
  tag: "Payment settings",
  right: "manage_payments",
  proof: true,
  body: z
    .strictObject({
      slug: z
        .string()
        .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "must consist of lowercase letters, digits and single hyphens")
        .check(maxUnits(50))
        .optional(),
      name: z.string().trim().min(1).check(maxUnits(100)).optional(),
      color: z
        .string()
        .regex(/^#[0-9a-f]{6}$/i, "must be a color such as #1a2b3c")
        .nullable()
        .optional(),
      logo: z.base64().nullish().meta({ description: "A JPEG, PNG or WebP image. `null` removes the image" }),
      logo_url: z
        .url({ protocol: /^https$/ })
        .check(maxUnits(2048))
        .optional(),
    })
    .refine(
      ({ logo, logo_url }) => logo === undefined || logo_url === undefined,
      "set logo or logo_url, not both",
    ),
  bodyLimitBytes: BODY_LIMIT_BYTES,
  returns: PaymentSettings,
  status: 200,
  errors: [
    "access_denied",
    "parameter_invalid",
    "state_conflict",
    "content_type_mismatch",
    "file_too_large",
    "file_type_invalid",
  ],
});

type Body = Input<typeof UpdateBranding>["body"];

/** Returns the account's payment settings, and creates them on the first call. */
export async function getPaymentSettings(ctx: Context): Promise<z.input<typeof PaymentSettings>> {
  await transaction((tx) => ensureSlug(tx, ctx.account.id, ctx.now));
  const [branding, connection, refusal] = await Promise.all([
    findBranding(ctx.account.id),
    findConnection(ctx.account.id),
    findConnectRefusal(ctx.account.type),
  ]);
  if (branding === null) throw new Error("an account has no checkout");
  const isSandboxed = connection === null && ctx.account.type === "sandbox";
  return {
    processor: connection?.processor ?? (isSandboxed ? "sandbox" : null),
    merchant_id: connection?.merchantId ?? null,
    can_charge: connection?.canCharge ?? isSandboxed,
    connect_refusal: refusal,
    checkout_base: `${checkoutUrl()}/pay/`,
    slug: branding.slug,
    name: branding.name,
    color: branding.color,
    logo_url: branding.logoUrl,
  };
}

/**
 * Changes the slug, name, color or logo (an uploaded image or a URL). Links that were already sent keep working.
 * Errors: state_conflict for a slug that is taken, and as `storeLogo`.
 */
export async function updateBranding(ctx: Context, { body }: { body: Body }) {
  const accountId = ctx.account.id;
  const logo = typeof body.logo === "string" ? await storeLogo(accountId, body.logo) : null;
  try {
    const before = await transaction((tx) => changeBranding(tx, ctx, { body, logo }));
    if (before !== null) await discardFiles(accountId, [{ id: before }]);
  } catch (error) {
    if (logo !== null) await discardFiles(accountId, [logo]);
    if (hasSqlState(error, UNIQUE_VIOLATION))
      fail("state_conflict", `the slug "${body.slug}" is already in use: choose another slug`);
    throw error;
  }
  return getPaymentSettings(ctx);
}

const CHANGE_BRANDING = plannedStatement(
  "change-branding",
  `update checkout_brandings set slug = coalesce(:slug, slug), name = coalesce(:name, name),
    color = case when :hasColor then :color else color end,
    logo_url = case when :changesLogo then :logoUrl else logo_url end,
    logo_attachment_id = case when :changesLogo then :logoId::uuid else logo_attachment_id end, updated_at = :now
  where account_id = :accountId`,
);

/** Changes the row; returns the id of the logo whose file is no longer used, or null. */
async function changeBranding(
  tx: Sql,
  ctx: Context,
  { body, logo }: { body: Body; logo: NewFile | null },
): Promise<string | null> {
  const changesLogo = body.logo_url !== undefined || body.logo !== undefined;
  await ensureSlug(tx, ctx.account.id, ctx.now);
  if (logo !== null) await insertLogo(tx, ctx, logo);
  const before = await readBranding(tx, ctx.account.id);
  const unused = changesLogo ? await deleteLogo(tx, ctx.account.id) : null;
  await tx.run(CHANGE_BRANDING, {
    accountId: ctx.account.id,
    slug: body.slug,
    name: body.name,
    hasColor: body.color !== undefined,
    color: body.color,
    changesLogo,
    logoUrl: body.logo_url,
    logoId: logo?.id,
    now: ctx.now,
  });
  const detail = changedFields(before, await readBranding(tx, ctx.account.id));
  await recordAudit(tx, ctx, "checkout.branded", "account", ctx.account.id, detail);
  return unused;
}

const LOCK_BRANDING = plannedStatement(
  "lock-branding",
  `select slug, name, color, logo_url, logo_attachment_id as logo from checkout_brandings
  where account_id = :accountId for no key update`,
);

/** The branding as the audit log shows it: of an uploaded logo, the id. Locks the row for the transaction. */
async function readBranding(tx: Sql, accountId: string): Promise<Readonly<Record<string, unknown>>> {
  const [row] = await tx.run(LOCK_BRANDING, { accountId });
  if (row === undefined) throw new Error("an account has no checkout");
  return row;
}

const DELETE_LOGO = plannedStatement(
  "delete-logo",
  `delete from attachments t using (
    select logo_attachment_id as id from checkout_brandings where account_id = :accountId for update) b
  where t.account_id = :accountId and t.id = b.id returning t.id`,
);

// Deletes the logo's row in the same transaction as the change. Its bytes are deleted afterwards, and a sweep removes
// what a killed process leaves.
async function deleteLogo(tx: Sql, accountId: string): Promise<string | null> {
  const [row] = await tx.run(DELETE_LOGO, { accountId });
  return row?.id ?? null;
}
