import "server-only";
import { z } from "zod";

const MOOT_AFTER_SECONDS = 60;

/** Our line types, or has stopped. Of no use once the moment has passed. */
export const typingAction = {
  payload: z.object({ is_on: z.boolean() }),
  mootAfterSeconds: MOOT_AFTER_SECONDS,
  ask: (_: unknown, payload: { is_on: boolean }) => ({ type: "typing" as const, isOn: payload.is_on }),
};

/** Our line has read the chat. */
export const readAction = {
  payload: z.object({}),
  ask: () => ({ type: "read" as const }),
};
