import "server-only";
import { z } from "zod";
import { BUBBLE_EFFECTS, SCREEN_EFFECTS } from "@/lib/messaging/content/message-effects";
import { maxUnits } from "@/lib/platform/text/max-units";

const NAME_MAX = 100;

/** Alternative names of effects that clients use (docs/contract.md, section 1.5). */
const ALIASES: ReadonlyMap<string, string> = new Map([["invisible_ink", "invisible"]]);

const TYPES: ReadonlyMap<string, "screen" | "bubble"> = new Map([
  ...SCREEN_EFFECTS.map((name) => [name, "screen"] as const),
  ...BUBBLE_EFFECTS.map((name) => [name, "bubble"] as const),
]);

const Effect = z.object({ type: z.enum(["screen", "bubble"]), name: z.string() });

/**
 * The effect of a send. The name of a known effect is sufficient; an unknown name requires a type and is passed on
 * (docs/contract.md, section 6.6).
 */
export const RequestEffect = z
  .object({
    type: Effect.shape.type
      .optional()
      .describe(
        "`screen` for an effect that fills the screen, `bubble` for an effect on the message bubble.",
      ),
    name: z
      .string()
      .min(1)
      .check(maxUnits(NAME_MAX))
      .optional()
      .describe(
        "Name of the effect. Screen effects: `confetti`, `fireworks`, `lasers`, `sparkles`, `celebration`, `hearts`, `love`, `balloons`, `happy_birthday`, `echo`, `spotlight`. Bubble effects: `slam`, `loud`, `gentle`, `invisible`.",
      ),
  })
  .superRefine((effect, issues) => {
    const message = wrongEffect(effect);
    if (message !== null) issues.addIssue({ code: "custom", path: ["name"], message });
  })
  .meta({
    id: "MessageEffect",
    description:
      "Effect of a message. `type` is optional if `name` is a listed name; other names require `type`.",
    examples: [{ type: "screen", name: "confetti" }],
  })
  .transform(({ type, name = "" }) => {
    const known = ALIASES.get(name) ?? name;
    return { type: type ?? TYPES.get(known), name: known };
  })
  .pipe(Effect);

function wrongEffect({
  type,
  name,
}: {
  type?: string | undefined;
  name?: string | undefined;
}): string | null {
  if (name === undefined) {
    return type === undefined
      ? "enter the name of an effect"
      : `set name: there are several effects of type ${type}`;
  }
  const family = TYPES.get(ALIASES.get(name) ?? name);
  if (family === undefined) return type === undefined ? "is unknown: set type too" : null;
  return type === undefined || type === family ? null : `is of type ${family}`;
}

/**
 * An effect in a response. Received effects are shown as received, even when Trunkline does not know them
 * (docs/contract.md, section 6.6).
 */
export const MessageEffect = z
  .looseObject({
    type: z.string().optional().describe("Type of the effect: `screen` or `bubble`."),
    name: z.string().optional().describe("Name of the effect, such as `confetti`."),
  })
  .meta({
    id: "ShownMessageEffect",
    description:
      "Effect of a message. Effects of received messages are returned unchanged, even if Trunkline does not know them.",
    examples: [{ type: "screen", name: "confetti" }],
  });
