import "server-only";
import { z } from "zod";
import { PictureUrl } from "@/lib/messaging/chats/stored-picture";
import type { ErrorName } from "@/lib/platform/errors";

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

/** One colour, or two. */
export const ColorBackground = z
  .object({
    type: z.literal("color"),
    /** Left out = custom. */
    variant: z.enum([...COLORS, "custom"]).default("custom"),
    /** Top and bottom; of `custom` only. */
    shades: z.tuple([Shade, Shade]).optional(),
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
) => z.object({ type: z.literal("dynamic"), style: z.literal(style), variant: z.enum(variants) });

/** A picture that moves. */
export const DynamicBackground = z.discriminatedUnion("style", [
  dynamic("sky", ["dusk", "haze", "sunset", "clear", "sunrise", "dawn"]),
  dynamic("water", ["light", "dark"]),
  dynamic("aurora", ["green", "purple", "pink"]),
]);

const Photo = z.object({ type: z.literal("photo"), image_url: PictureUrl });

/** How a chat is to look behind its messages (contract.md 1.1, background). */
export const ChatBackground = z.discriminatedUnion("type", [ColorBackground, DynamicBackground, Photo]);
