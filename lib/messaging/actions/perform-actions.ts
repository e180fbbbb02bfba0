import "server-only";
import type { Action } from "@/lib/adapters/transports/actions";
import { transportOf } from "@/lib/adapters/transports/registry";
import type { Cap } from "@/lib/adapters/transports/transport";
import { toAdapterError, withTimeout } from "@/lib/adapters/with-timeout";
import type { ActionFailure, ActionRequest, BoundAction } from "@/lib/messaging/actions/action-kind";
import { bindAction } from "@/lib/messaging/actions/action-kinds";
import {
  type ClaimedAction,
  claimActions,
  claimStoppedActions,
  targetOf,
} from "@/lib/messaging/actions/claim-actions";
import { CONSEQUENCES, sendRetryDelayMs } from "@/lib/messaging/dispatch/send-failure";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { hasRows } from "@/lib/platform/database/has-rows";
import { type Queue, startQueue } from "@/lib/platform/database/queue";
import { statement } from "@/lib/platform/database/statement";
import { now } from "@/lib/platform/time/clock";

const CONCURRENCY = 32;
const POLL_MS = 500;
const TIMEOUT_MS = 30_000;
const LATER_MS = 300;
/** Maximum number of claims that wait for a required message: ten minutes while the line is up. */
const MAX_WAITS = 2000;

/** The capability that each action requires of a transport. */
const NEEDS = {
  typing: "typing",
  read: "read",
  leave: "group_leave",
  add_participant: "group_members",
  remove_participant: "group_members",
  set_name: "group_name",
  set_icon: "group_icon",
  set_background: "background",
  share_contact_card: "contact_share",
  react: "reaction",
  move_sticker: "reaction",
  edit: "edit",
  unsend: "unsend",
  request_location: "location",
  stop_location: "location",
  add_poll_options: "poll",
  vote: "poll",
} as const satisfies Record<Action["type"], Cap>;

/** Performs the actions in `chat_actions`: those of a chat one after the other, chats in parallel. */
export function startActions(timeoutMs = TIMEOUT_MS): Queue {
  return startQueue<ClaimedAction>({
    name: "actions",
    topic: "actions",
    most: CONCURRENCY,
    pollMs: POLL_MS,
    hasWaiting: () => hasRows("chat_actions", "true"),
    claim: claimActions,
    handle: (action) => perform(action, timeoutMs),
  });
}

/**
 * Fails the pending actions of archived accounts, so that none is performed when the account is restored. Returns the
 * number of ended actions.
 */
export async function failActionsOfArchived(): Promise<number> {
  for (let ended = 0; ; ) {
    const actions = await claimStoppedActions(CONCURRENCY);
    for (const action of actions) {
      const failure = { error: "line_down" as const, reason: "the account was archived" };
      await end(action, bindAction(action), { type: "failed", ...failure });
    }
    ended += actions.length;
    if (actions.length === 0) return ended;
  }
}

async function perform(action: ClaimedAction, timeoutMs: number): Promise<void> {
  const bound = bindAction(action);
  const ageMs = now().getTime() - action.created_at.getTime();
  const isMoot = bound.mootAfterSeconds !== null && ageMs > bound.mootAfterSeconds * 1000;
  const request = isMoot ? "nothing" : await bound.buildRequest();

  if (request === "later" && action.waits < MAX_WAITS)
    return postpone(action, { inMs: LATER_MS, isWait: true });
  const outcome = await outcomeOf(action, request, timeoutMs);
  if (outcome.type === "again") return postpone(action, { inMs: outcome.inMs, isWait: false });
  await end(action, bound, outcome);
}

type Outcome =
  | { type: "done" | "dropped" }
  | ({ type: "failed" } & ActionFailure)
  | { type: "again"; inMs: number };

async function outcomeOf(action: ClaimedAction, request: ActionRequest, timeoutMs: number): Promise<Outcome> {
  if (request === "nothing") return { type: "dropped" };
  if (request === "later")
    return {
      type: "failed",
      error: "attempts_exhausted",
      reason: "a required earlier action did not complete in time",
    };
  if ("error" in request) return { type: "failed", ...request };
  return act(action, request, timeoutMs);
}

async function act(action: ClaimedAction, wanted: Action, timeoutMs: number): Promise<Outcome> {
  const transport = transportOf(action.transport);
  const target = targetOf(action);
  if (!transport.caps(target.service ?? action.line_type).has(NEEDS[wanted.type])) {
    return {
      type: "failed",
      error: "type_not_supported",
      reason: `${wanted.type} is not supported by this service`,
    };
  }
  try {
    await withTimeout(timeoutMs, (signal) =>
      transport.act({ id: action.id, target, action: wanted }, signal),
    );
    return { type: "done" };
  } catch (thrown) {
    const error = toAdapterError(thrown);
    const consequence = CONSEQUENCES[error.kind];
    const delayMs = consequence.next === "fail" ? null : sendRetryDelayMs(action.attempts - action.waits);
    if (delayMs === null) return { type: "failed", error: consequence.error, reason: error.message };
    return { type: "again", inMs: Math.max(delayMs, error.retryAfterMs ?? 0) };
  }
}

const POSTPONE_ACTION = statement(
  "postpone-action",
  `update chat_actions set run_at = :runAt, lease_until = null, waits = waits + :waits::int
  where account_id = :accountId and id = :actionId and attempts = :attempts`,
);

async function postpone(action: ClaimedAction, { inMs, isWait }: { inMs: number; isWait: boolean }) {
  await sql.run(POSTPONE_ACTION, {
    accountId: action.account_id,
    actionId: action.id,
    attempts: action.attempts,
    runAt: new Date(now().getTime() + inMs),
    waits: isWait ? 1 : 0,
  });
  setTimeout(() => sql.wake("actions"), inMs).unref();
}

// The row is deleted together with the effects, so a process whose lease was taken over finds no row and does nothing.
async function end(action: ClaimedAction, bound: BoundAction, outcome: Outcome): Promise<void> {
  await transaction(async (tx) => {
    if (!(await remove(tx, action))) return;
    if (outcome.type === "done") await bound.done(tx, now());
    if (outcome.type === "failed") await bound.failed(tx, outcome, now());
  });
  sql.wake("actions");
}

const END_CHAT_ACTION = statement(
  "end-chat-action",
  "delete from chat_actions where account_id = :accountId and id = :actionId and attempts = :attempts returning id",
);

async function remove(tx: Sql, action: ClaimedAction): Promise<boolean> {
  const rows = await tx.run(END_CHAT_ACTION, {
    accountId: action.account_id,
    actionId: action.id,
    attempts: action.attempts,
  });
  return rows.length > 0;
}
