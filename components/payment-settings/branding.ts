import type { PaymentSettings } from "@/lib/payments/checkout/payment-settings";

/** The checkout's branding as form values. */
export type Branding = {
  slug: string;
  name: string;
  /** Empty = Trunkline's default. */
  color: string;
  /** The URL of the saved logo, or a data URL of the selected file. */
  logo: string | null;
};

export function brandingOf({ slug, name, color, logo_url }: PaymentSettings): Branding {
  return { slug, name, color: color ?? "", logo: logo_url };
}

/** The changed fields as the request body of PATCH /api/payment-settings. */
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
