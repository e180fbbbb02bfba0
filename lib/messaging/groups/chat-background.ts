import "server-only";
import { z } from "zod";
import { ImageUrl } from "@/lib/messaging/chats/stored-image";
import type { ErrorName } from "@/lib/platform/errors/errors";

const COLORS = [
  "mango",
  "ice",
  "plum",
  "deep_sea",
  "green_apple",
  "cherry",
  "bubblegum",
  "tangerine",
  "magenta",
  "lime",
  "silver",
  "carbon",
  "stone",
] as const;

const Shade = z.string().regex(/^#[0-9A-Fa-f]{6}$/, "must be a color such as #1A2B3C");

/** One color, or two. */
export const ColorBackground = z
  .object({
    type: z.literal("color").describe("A color background."),
    variant: z
      .enum([...COLORS, "custom"])
      .default("custom")
      .describe("Name of a color, or `custom` for the colors in `shades`. Defaults to `custom`."),
    shades: z
      .tuple([Shade, Shade])
      .optional()
      .describe(
        "Top and bottom color as hexadecimal RGB, such as `#1A2B3C`. Required for `custom`, not allowed otherwise.",
      ),
  })
  .superRefine(({ variant, shades }, issues) => {
    if ((variant === "custom") === (shades !== undefined)) return;
    const error: ErrorName = shades === undefined ? "field_missing" : "parameter_invalid";
    const message = "shades [top, bottom] are required for the variant custom and not allowed for others";
    issues.addIssue({ code: "custom", path: ["shades"], message, params: { error } });
  });

const dynamic = <const Style extends string, const Variants extends readonly [string, ...string[]]>(
  style: Style,
  variants: Variants,
) =>
  z.object({
    type: z.literal("dynamic").describe("An animated background."),
    style: z.literal(style).describe("Scene of the animation."),
    variant: z.enum(variants).describe("Variant of the scene."),
  });

/** An animated background. */
export const DynamicBackground = z.discriminatedUnion("style", [
  dynamic("sky", ["dusk", "haze", "sunset", "clear", "sunrise", "dawn"]),
  dynamic("water", ["light", "dark"]),
  dynamic("aurora", ["green", "purple", "pink"]),
]);

const Photo = z.object({
  type: z.literal("photo").describe("A photo background."),
  image_url: ImageUrl.describe("URL of the photo. Trunkline downloads the image once and stores a copy."),
});

/** The background to set for a chat (docs/contract.md, section 5.5). */
export const ChatBackground = z.discriminatedUnion("type", [ColorBackground, DynamicBackground, Photo]).meta({
  description: "Background of a chat, by `type`.",
  examples: [{ type: "dynamic", style: "sky", variant: "sunset" }],
});
