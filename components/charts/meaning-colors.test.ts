import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { MEANING_TOKENS, type Meaning } from "@/components/charts/meaning-colors";
import { badgeVariants } from "@/components/ui/badge";

type Triple = readonly [number, number, number];

/** Oklab distance; 0.02 is just noticeable between areas that touch. */
const MIN_DISTANCE = 0.08;
const COLORED = ["sent", "received", "delivered", "failed", "warning"] as const satisfies Meaning[];

/** How people see who lack one kind of cone (Machado, Oliveira and Fernandes 2009), applied to linear sRGB. */
const VISION = {
  "full color vision": [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
} as const satisfies Record<string, readonly Triple[]>;

const css = readFileSync("app/globals.css", "utf8");
const dark = css.indexOf(".dark {");
const THEMES = { light: css.slice(0, dark), dark: css.slice(dark) };

function tokenOf(theme: keyof typeof THEMES, name: string): Triple {
  const [, l, c, h] =
    new RegExp(`--${name}: oklch\\(([\\d.]+) ([\\d.]+) ([\\d.]+)\\)`).exec(THEMES[theme]) ?? [];
  if (l === undefined) throw new Error(`globals.css has no ${name} in the ${theme} theme`);
  return toLinear([Number(l), Number(c), Number(h)]);
}

function toLinear([lightness, chroma, hue]: Triple): Triple {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return clip([
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]);
}

function toOklab([r, g, b]: Triple): Triple {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function clip([r, g, b]: Triple): Triple {
  const within = (value: number) => Math.min(1, Math.max(0, value));
  return [within(r), within(g), within(b)];
}

function seenWith(vision: keyof typeof VISION, color: Triple): Triple {
  const [red, green, blue] = VISION[vision];
  const seen = (row: Triple) => row[0] * color[0] + row[1] * color[1] + row[2] * color[2];
  return toOklab(clip([seen(red), seen(green), seen(blue)]));
}

function distance(one: Triple, other: Triple): number {
  return Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
}

function contrast(one: Triple, other: Triple): number {
  const luminance = ([r, g, b]: Triple) => 0.2126 * r + 0.7152 * g + 0.0722 * b;
  const [less = 0, more = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (more + 0.05) / (less + 0.05);
}

/** A color with an opacity on another one, as browsers blend them. */
function over(color: Triple, opacity: number, base: Triple): Triple {
  const encode = (value: number) => (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055);
  const decode = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  const blend = (one: number, other: number) => decode(encode(one) * opacity + encode(other) * (1 - opacity));
  return [blend(color[0], base[0]), blend(color[1], base[1]), blend(color[2], base[2])];
}

const PAIRS = COLORED.flatMap((one, index) => COLORED.slice(index + 1).map((other) => [one, other] as const));

describe.each(Object.keys(THEMES) as (keyof typeof THEMES)[])("in the %s theme", (theme) => {
  test.each(Object.keys(VISION) as (keyof typeof VISION)[])("the meanings differ with %s", (vision) => {
    const seen = (meaning: Meaning) => seenWith(vision, tokenOf(theme, MEANING_TOKENS[meaning]));
    const alike = PAIRS.filter(([one, other]) => distance(seen(one), seen(other)) < MIN_DISTANCE);
    expect(alike).toEqual([]);
  });

  // The badge of a selected row is the darkest ground of the light theme, and the lightest of the dark one.
  test.each(["card", "background", "muted", "secondary", "accent"])("badges can be read on %s", (ground) => {
    for (const meaning of ["sent", "delivered", "failed"] as const) {
      const text = tokenOf(theme, MEANING_TOKENS[meaning]);
      expect(contrast(text, over(text, 0.1, tokenOf(theme, ground))), meaning).toBeGreaterThan(4.5);
    }
  });

  test("each meaning stands out from a card, and those of badges can be read on one", () => {
    const card = tokenOf(theme, "card");
    for (const meaning of COLORED) {
      const least = meaning === "received" ? 3 : 5;
      expect(contrast(tokenOf(theme, MEANING_TOKENS[meaning]), card), meaning).toBeGreaterThan(least);
    }
  });
});

test("badges of a status have the color of its meaning", () => {
  const variants = { sent: "info", delivered: "success", failed: "destructive", warning: "warning" } as const;
  for (const [meaning, variant] of Object.entries(variants)) {
    expect(badgeVariants({ variant })).toContain(`text-${MEANING_TOKENS[meaning as Meaning]}`);
  }
});
