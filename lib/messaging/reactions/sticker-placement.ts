import "server-only";
import { z } from "zod";
import type { StickerPlacement } from "@/lib/adapters/transports/actions";

/** The placement of a sticker: x and y from -1 to 1, scale from 0.05 to 2.5. Values outside are clamped. */
export const Placement = z
  .object({
    x: z
      .number()
      .transform((value) => clamp(value, -1, 1))
      .describe("Horizontal position, from -1 (left) to 1 (right)."),
    y: z
      .number()
      .transform((value) => clamp(value, -1, 1))
      .describe("Vertical position, from -1 to 1."),
    scale: z
      .number()
      .transform((value) => clamp(value, 0.05, 2.5))
      .describe("Size, from 0.05 to 2.5. Defaults to 1 for an image and 0.5 for an emoji."),
    rotation: z.number().describe("Rotation in degrees, clockwise."),
  })
  .partial()
  .meta({
    id: "StickerPlacement",
    description: "Placement of a sticker on a message. Out-of-range values are clamped.",
    examples: [{ x: 0.4, y: -0.2, scale: 1, rotation: 15 }],
  });

/** A stored placement. */
export const StoredPlacement = z.object({
  x: z.number(),
  y: z.number(),
  scale: z.number(),
  rotation: z.number(),
});

/** The initial placement: centered, an image at full size and an emoji at half. */
export function firstPlacement(isEmoji: boolean): StickerPlacement {
  return { x: 0, y: 0, scale: isEmoji ? 0.5 : 1, rotation: 0 };
}

/** Returns a placement with the given values changed. */
export function movePlacement(
  from: StickerPlacement,
  { x = from.x, y = from.y, scale = from.scale, rotation = from.rotation }: z.output<typeof Placement>,
): StickerPlacement {
  return { x, y, scale, rotation };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
