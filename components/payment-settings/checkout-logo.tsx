import { brandColors } from "@/lib/payments/checkout/brand-colors";

type CheckoutLogoProps = { name: string; color: string; url: string | null };

/** The logo as payers see it, or the name's first letter in its place. */
export function CheckoutLogo({ name, color, url }: CheckoutLogoProps) {
  const shape = "flex size-14 shrink-0 items-center justify-center rounded-lg border";
  if (url !== null) {
    return (
      // biome-ignore lint/performance/noImgElement: the service's own files, and pictures not yet saved
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
