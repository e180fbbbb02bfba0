import "server-only";
import type { z } from "zod";
import type { Action } from "@/lib/adapters/transports/actions";
import type { ClaimedAction } from "@/lib/messaging/actions/claim-actions";
import type { Sql } from "@/lib/platform/database/db";
import type { ErrorName } from "@/lib/platform/errors/errors";

/** The reason for a permanent failure of an action. */
export interface ActionFailure {
  error: ErrorName;
  reason: string;
}

/**
 * The request of an action to the transport; `later` while something it needs is in progress; `nothing` when it has
 * become pointless.
 */
export type ActionRequest = Action | "later" | "nothing" | ActionFailure;

/** An action that has ended, and the time. */
interface Ended<Payload> {
  action: ClaimedAction;
  payload: Payload;
  at: Date;
}

/** A kind of action with its effects. */
interface ActionKind<Payload> {
  payload: z.ZodType<Payload>;
  /** After this age the action is pointless and is dropped silently. */
  mootAfterSeconds?: number;
  buildRequest(action: ClaimedAction, payload: Payload): Promise<ActionRequest> | ActionRequest;
  /** The effects of success, in the transaction that ends the action. Runs once. */
  done?(tx: Sql, ended: Ended<Payload>): Promise<void>;
  /** The effects of failure, in the transaction that ends the action. */
  failed?(tx: Sql, ended: Ended<Payload> & ActionFailure): Promise<void>;
}

/** A kind bound to one claimed action. */
export interface BoundAction {
  mootAfterSeconds: number | null;
  buildRequest(): Promise<ActionRequest>;
  done(tx: Sql, at: Date): Promise<void>;
  failed(tx: Sql, failure: ActionFailure, at: Date): Promise<void>;
}

/** Binds a kind to its payload's schema. */
export function actionKind<Payload>(kind: ActionKind<Payload>): (action: ClaimedAction) => BoundAction {
  return (action) => {
    const payload = kind.payload.parse(action.payload);
    return {
      mootAfterSeconds: kind.mootAfterSeconds ?? null,
      buildRequest: async () => kind.buildRequest(action, payload),
      done: async (tx, at) => kind.done?.(tx, { action, payload, at }),
      failed: async (tx, failure, at) => kind.failed?.(tx, { action, payload, at, ...failure }),
    };
  };
}
