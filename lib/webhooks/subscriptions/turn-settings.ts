import "server-only";
import { z } from "zod";
import { TURN_GROUPS, TURN_SECONDS } from "@/lib/webhooks/subscriptions/turn-limits";

const { quiet: QUIET, max: MAX } = TURN_SECONDS;

/** How long a person has to be quiet until a turn closes. Twice as long after a file. */
export const QUIET_MS = QUIET.default * 1000;
/** How long a turn waits at most, from its first message. */
export const MAX_WAIT_MS = MAX.default * 1000;

/** The settings of chat.turn for a subscription. Durations are in seconds. */
export const TurnSettings = z
  .object({
    quiet_seconds: z
      .number()
      .min(QUIET.min)
      .max(QUIET.max)
      .optional()
      .describe(
        `Seconds without a message after which a turn closes, ${QUIET.min} to ${QUIET.max}. Twice as long after a file. Defaults to ${QUIET.default}.`,
      ),
    max_seconds: z
      .number()
      .min(MAX.min)
      .max(MAX.max)
      .optional()
      .describe(
        `Seconds that a turn waits at most after its first message, ${MAX.min} to ${MAX.max}. Defaults to ${MAX.default}.`,
      ),
    groups: z.boolean().optional().describe(`Whether groups have turns. Defaults to \`${TURN_GROUPS}\`.`),
  })
  .meta({ id: "TurnSettings", examples: [{ quiet_seconds: 3, max_seconds: 20, groups: false }] });

export type TurnSettings = z.infer<typeof TurnSettings>;

/** Like `TurnSettings`, for a request: `null` for the defaults. */
export const TurnSettingsInput = TurnSettings.refine(
  ({ quiet_seconds = QUIET.default, max_seconds = MAX.default }) => max_seconds >= quiet_seconds,
  {
    path: ["max_seconds"],
    message: `max_seconds must not be less than quiet_seconds (${QUIET.default} and ${MAX.default} by default)`,
  },
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
