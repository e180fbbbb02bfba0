import "server-only";
import { z } from "zod";
import { findAttachment } from "@/lib/attachments/find-attachment";
import { recordAudit } from "@/lib/audit/record-audit";
import { findBranding } from "@/lib/checkout/checkout-branding";
import { ensureSlug } from "@/lib/payment-requests/ensure-slug";
import { findConnection } from "@/lib/payment-requests/find-merchant";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/db";
import { checkoutUrl } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors";
import { hasSqlState } from "@/lib/platform/has-sql-state";
import { requireRight } from "@/lib/users/role-rights";

const UNIQUE_VIOLATION = "23505";

/** How an account is paid and how its checkout looks. */
const PaymentSettings = z.object({
  processor: z.string().nullable(),
  merchant_id: z.string().nullable(),
  can_charge: z.boolean(),
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
  returns: PaymentSettings,
  status: 200,
  errors: [],
});

export const UpdateBranding = contract({
  summary: "Change how the checkout looks",
  tag: "Payment settings",
  body: z.strictObject({
    slug: z
      .string()
      .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "small letters, digits and single hyphens")
      .max(50)
      .optional(),
    name: z.string().trim().min(1).max(100).optional(),
    color: z
      .string()
      .regex(/^#[0-9a-f]{6}$/i, "as #1a2b3c")
      .nullable()
      .optional(),
    logo_url: z
      .url({ protocol: /^https$/ })
      .max(2048)
      .nullable()
      .optional(),
    logo_attachment_id: z.uuid().nullable().optional(),
  }),
  returns: PaymentSettings,
  status: 200,
  errors: ["access_denied", "parameter_invalid", "state_conflict", "attachment_not_found"],
});

/** How the account is paid, and how its checkout looks; made at the first look. Errors: none of its own. */
export async function getPaymentSettings(ctx: Context): Promise<z.input<typeof PaymentSettings>> {
  await transaction((tx) => ensureSlug(tx, ctx.account.id, ctx.now));
  const [branding, connection] = await Promise.all([
    findBranding(ctx.account.id),
    findConnection(ctx.account.id),
  ]);
  if (branding === null) throw new Error("an account has no checkout");
  const isSandboxed = connection === null && ctx.account.type === "sandbox";
  return {
    processor: connection?.processor ?? (isSandboxed ? "sandbox" : null),
    merchant_id: connection?.merchantId ?? null,
    can_charge: connection?.canCharge ?? isSandboxed,
    checkout_base: `${checkoutUrl()}/pay/`,
    slug: branding.slug,
    name: branding.name,
    color: branding.color,
    logo_url: branding.logoUrl,
  };
}

/**
 * Changes slug, name, colour or logo (one of a URL and an attachment). Links that were sent keep working. Errors:
 * state_conflict for a slug that is taken, attachment_not_found, access_denied.
 */
export async function updateBranding(ctx: Context, { body }: Pick<Input<typeof UpdateBranding>, "body">) {
  requireRight(ctx, "manage_payments");
  if (body.logo_attachment_id != null) await findAttachment(ctx.account.id, body.logo_attachment_id);
  const changesLogo = body.logo_url !== undefined || body.logo_attachment_id !== undefined;

  await transaction(async (tx) => {
    await ensureSlug(tx, ctx.account.id, ctx.now);
    await tx.query({
      text: `update checkout_brandings set slug = coalesce($2, slug), name = coalesce($3, name),
               color = case when $4 then $5 else color end,
               logo_url = case when $6 then $7 else logo_url end,
               logo_attachment_id = case when $6 then $8::uuid else logo_attachment_id end, updated_at = $9
             where account_id = $1`,
      values: [
        ctx.account.id,
        body.slug,
        body.name,
        body.color !== undefined,
        body.color,
        changesLogo,
        body.logo_url,
        body.logo_attachment_id,
        ctx.now,
      ],
    });
    await recordAudit(tx, ctx, "checkout.branded", "account", ctx.account.id, body);
  }).catch((error: unknown) => {
    if (hasSqlState(error, UNIQUE_VIOLATION)) fail("state_conflict", `the slug "${body.slug}" is taken`);
    throw error;
  });
  return getPaymentSettings(ctx);
}
