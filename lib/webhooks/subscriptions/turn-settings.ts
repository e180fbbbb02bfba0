import "server-only";
import { z } from "zod";

/** How long a person has to be quiet until a turn closes. Twice as long after a file. */
export const QUIET_MS = 2000;
/** How long a turn waits at most, from its first message. */
export const MAX_WAIT_MS = 15_000;

/** The settings of chat.turn for a subscription. Durations are in seconds. */
export const TurnSettings = z
  .object({
    quiet_seconds: z
      .number()
      .min(0.5)
      .max(30)
      .optional()
      .describe(
        "Seconds without a message after which a turn closes, 0.5 to 30. Twice as long after a file. Defaults to 2.",
      ),
    max_seconds: z
      .number()
      .min(1)
      .max(120)
      .optional()
      .describe("Seconds that a turn waits at most after its first message, 1 to 120. Defaults to 15."),
    groups: z.boolean().optional().describe("Whether groups have turns. Defaults to `true`."),
  })
  .meta({ id: "TurnSettings", examples: [{ quiet_seconds: 3, max_seconds: 20, groups: false }] });

export type TurnSettings = z.infer<typeof TurnSettings>;

/** Like `TurnSettings`, for a request: `null` for the defaults. */
export const TurnSettingsInput = TurnSettings.refine(
  ({ quiet_seconds = QUIET_MS / 1000, max_seconds = MAX_WAIT_MS / 1000 }) => max_seconds >= quiet_seconds,
  { path: ["max_seconds"], message: "max_seconds must not be less than quiet_seconds (2 and 15 by default)" },
)
  .nullable()
  .describe(
    "When a turn closes, for subscriptions to `chat.turn`. `null` or omitted for the defaults. A Trunkline extension.",
  );

/** The columns of the settings; null = the default. */
export interface TurnColumns {
  turnQuietMs: number | null;
  turnMaxMs: number | null;
  turnGroups: boolean | null;
}

export function toTurnColumns(settings: TurnSettings | null): TurnColumns {
  return {
    turnQuietMs: toMs(settings?.quiet_seconds),
    turnMaxMs: toMs(settings?.max_seconds),
    turnGroups: settings?.groups ?? null,
  };
}

/** The settings that differ from the defaults; null when none is set. */
export function toTurnSettings({ turnQuietMs, turnMaxMs, turnGroups }: TurnColumns): TurnSettings | null {
  if (turnQuietMs === null && turnMaxMs === null && turnGroups === null) return null;
  return {
    ...(turnQuietMs !== null && { quiet_seconds: turnQuietMs / 1000 }),
    ...(turnMaxMs !== null && { max_seconds: turnMaxMs / 1000 }),
    ...(turnGroups !== null && { groups: turnGroups }),
  };
}

function toMs(seconds: number | undefined): number | null {
  return seconds === undefined ? null : Math.round(seconds * 1000);
}
