const DEFAULT_COLOR = "#23262f";
const WHITE = "#ffffff";
const BLACK = "#000000";

/**
 * Returns a partner's color and a text color that is readable on it: a contrast of at least 4.5 to 1 for any color
 * (WCAG 2.2).
 */
export function brandColors(color: string | null): { brand: string; onBrand: string } {
  const brand = color ?? DEFAULT_COLOR;
  return { brand, onBrand: contrast(brand, WHITE) >= contrast(brand, BLACK) ? WHITE : BLACK };
}

/** Returns the contrast ratio of two #rrggbb colors, 1 to 21. */
export function contrast(left: string, right: string): number {
  const [light = 0, dark = 0] = [luminance(left), luminance(right)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    linear(Number.parseInt(color.slice(at, at + 2), 16)),
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function linear(channel: number): number {
  const value = channel / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
