import "server-only";
import { z } from "zod";
import type { ActionFailure } from "@/lib/messaging/actions/action-kind";
import type { ClaimedAction } from "@/lib/messaging/actions/claim-actions";
import { changedBy } from "@/lib/messaging/chats/change-by-action";
import { recordActionFailed } from "@/lib/messaging/chats/change-chat";
import type { Sql } from "@/lib/platform/database/db";

const MOOT_AFTER_SECONDS = 3600;

type Failed = { action: ClaimedAction; at: Date } & ActionFailure;

/** Requests a location from the contact. The request expires after an hour. */
export const requestLocationAction = {
  payload: z.object({}),
  mootAfterSeconds: MOOT_AFTER_SECONDS,
  buildRequest: () => ({ type: "request_location" as const }),
  failed: (tx: Sql, { action, at, error, reason }: Failed) =>
    recordActionFailed(tx, changedBy(action, at), { kind: action.kind, error, reason }),
};

const StopPayload = z.object({ handle: z.string() });

/** Tells a contact's phone to end its share, which Trunkline has already ended. */
export const stopLocationAction = {
  payload: StopPayload,
  buildRequest: (_: ClaimedAction, { handle }: z.infer<typeof StopPayload>) => ({
    type: "stop_location" as const,
    handle,
  }),
  failed: (tx: Sql, { action, payload, at, error, reason }: Failed & { payload: { handle: string } }) =>
    recordActionFailed(tx, changedBy(action, at), {
      kind: action.kind,
      handle: payload.handle,
      error,
      reason,
    }),
};
