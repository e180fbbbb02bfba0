import "server-only";
import { z } from "zod";

const MOOT_AFTER_SECONDS = 60;

/** Shows that the line is typing or has stopped. Dropped when it can't be shown soon. */
export const typingAction = {
  payload: z.object({ is_on: z.boolean() }),
  mootAfterSeconds: MOOT_AFTER_SECONDS,
  buildRequest: (_: unknown, payload: { is_on: boolean }) => ({
    type: "typing" as const,
    isOn: payload.is_on,
  }),
};

/** Sends read receipts for the chat. */
export const readAction = {
  payload: z.object({}),
  buildRequest: () => ({ type: "read" as const }),
};
