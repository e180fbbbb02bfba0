import "server-only";
import type { z } from "zod";
import type { AccountChange, AccountPayload } from "@/lib/events/catalog/account-payload";
import type { EventDefinition } from "@/lib/events/catalog/define-events";
import type { EventType } from "@/lib/events/catalog/event-types";
import { emitEvents, newEvent } from "@/lib/events/store/emit-event";
import type { Actor, Context } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/database/db";
import { newId, newTraceId } from "@/lib/platform/ids";

type ChangeEventData = z.input<typeof AccountChange>;

/** An event that reports a change to the account itself. */
type AccountEvent = EventDefinition<EventType, AccountPayload>;

/** The objects of an account event, with their changes. */
type ObjectsOf<Definition extends AccountEvent> = Omit<z.input<Definition["data"]>, keyof ChangeEventData>;

/** The author of a change, and the accounts that get its event. */
export interface Change {
  /** Several for a change of the whole partner: each account gets the event with the same id. */
  accountIds: readonly string[];
  actor: ChangeEventData["actor"];
  origin: ChangeEventData["origin"];
  traceId: string;
  at: Date;
}

/**
 * Emits the event of a change to the accounts' subscriptions, regardless of their `phone_numbers`
 * (docs/contract.md, section 12.6). Runs in the transaction of the change, next to its audit entry.
 */
export async function emitAccountEvent<Definition extends AccountEvent>(
  tx: Sql,
  change: Change,
  definition: Definition,
  objects: ObjectsOf<Definition>,
): Promise<void> {
  const { accountIds, actor, origin, traceId, at } = change;
  const summary = definition.payload.summarize(objects, by(actor));
  const data = { summary, occurred_at: at.toISOString(), actor, origin, ...objects };
  const about = {
    id: newId(at.getTime(), accountIds.length === 1 ? accountIds[0] : undefined, definition.type),
    lineId: null,
    chatId: null,
    messageId: null,
    traceId,
    at,
  };
  // Always in the same order, because each event locks the counters of its account's subscriptions.
  for (const accountId of accountIds.toSorted()) {
    await emitEvents(tx, [newEvent<AccountEvent>(definition, { ...about, accountId }, data)]);
  }
}

/** A change that a request makes to its account. */
export function requestChange({ account, actor, traceId, now }: Context): Change {
  return { accountIds: [account.id], ...changedBy(actor), traceId, at: now };
}

/** A change made by the operator or by Trunkline itself. */
export function systemChange(accountIds: readonly string[], at: Date): Change {
  return { accountIds, actor: { type: "system" }, origin: "service", traceId: newTraceId(), at };
}

/** The author of a change, as account events report it. */
export function changedBy(actor: Actor): Pick<Change, "actor" | "origin"> {
  if (actor.type === "user") {
    const { userId: id, name, email } = actor;
    return { actor: { type: "team_member", id, name, email }, origin: "dashboard" };
  }
  return actor.type === "api"
    ? { actor: { type: "api" }, origin: "api" }
    : { actor: { type: "system" }, origin: "service" };
}

function by({ type, name }: Change["actor"]): string {
  if (type === "team_member") return `by ${name ?? "a team member"}`;
  return type === "api" ? "through the API" : "by the service";
}
