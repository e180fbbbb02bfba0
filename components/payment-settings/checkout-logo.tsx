import { brandColors } from "@/lib/payments/checkout/brand-colors";

type CheckoutLogoProps = { name: string; color: string; url: string | null };

/** The logo as payers see it, or the first letter of the name. */
export function CheckoutLogo({ name, color, url }: CheckoutLogoProps) {
  const shape = "flex size-14 shrink-0 items-center justify-center rounded-lg border";
  if (url !== null) {
    return (
      // biome-ignore lint/performance/noImgElement: Trunkline's own files, and images not yet saved
      <img src={url} alt={`Logo of ${name}`} className={`${shape} bg-white object-contain`} />
    );
  }
  const { brand, onBrand } = brandColors(/^#[0-9a-f]{6}$/i.test(color) ? color : null);
  return (
    <span
      aria-hidden="true"
      className={`${shape} font-bold text-lg`}
      style={{ background: brand, color: onBrand }}
    >
      {[...name.trim()][0]?.toUpperCase() ?? "?"}
    </span>
  );
}
