import type { PaymentSettings } from "@/lib/payments/checkout/payment-settings";

/** How a checkout looks, as the form holds it. */
export type Branding = {
  slug: string;
  name: string;
  /** Empty = ours. */
  color: string;
  /** Where the logo is, or the one that was chosen as a data URL. */
  logo: string | null;
};

export function brandingOf({ slug, name, color, logo_url }: PaymentSettings): Branding {
  return { slug, name, color: color ?? "", logo: logo_url };
}

/** What differs from what is saved, as PATCH /api/payment-settings takes it. */
export function changesOf(saved: Branding, { slug, name, color, logo }: Branding) {
  return {
    ...(slug !== saved.slug && { slug }),
    ...(name !== saved.name && { name }),
    ...(color !== saved.color && { color: color === "" ? null : color }),
    ...(logo !== saved.logo && { logo: logo === null ? null : base64Of(logo) }),
  };
}

function base64Of(dataUrl: string): string {
  return dataUrl.slice(dataUrl.indexOf(",") + 1);
}
