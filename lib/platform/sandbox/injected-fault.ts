import "server-only";
import { hash } from "node:crypto";

/** The calls, messages or deliveries that a fault acts on: the given properties must all match. */
export interface FaultMatch {
  /** Method and path of an API operation, such as `POST /v3/chats/{chatId}/messages`. */
  route?: string | undefined;
  /** The error code of an API response. */
  code?: number | undefined;
  /** The number of the line of a message. */
  line?: string | undefined;
  /** The handle of the phone of a message. */
  handle?: string | undefined;
  /** Whether the messages are sent by a line (the default) or by a phone. */
  direction?: "outbound" | "inbound" | undefined;
  /** The type of a delivered event. */
  event?: string | undefined;
  /** The id or the target URL of the webhook subscription of a delivery. */
  endpoint?: string | undefined;
}

export const FAULT_EFFECT_TYPES = ["error", "latency", "drop", "duplicate", "reorder", "stall"] as const;

/** The effect of a fault on a call, message or delivery. */
export interface FaultEffect {
  type: (typeof FAULT_EFFECT_TYPES)[number];
  code?: number | undefined;
  status?: number | undefined;
  delay_ms?: number | undefined;
}

/** Which of the matches the fault acts on. All given conditions must hold. */
export interface FaultCondition {
  /** Only this match, counted from 1. */
  nth?: number | undefined;
  /** Only the first matches. */
  first?: number | undefined;
  /** Only each n-th match. */
  every?: number | undefined;
  /** Each match with this probability, determined by `seed` and the number of the match. */
  probability?: number | undefined;
  seed?: string | undefined;
  /** Only in this period of the platform clock. Matches outside it are not counted. */
  from?: string | undefined;
  until?: string | undefined;
}

export interface InjectedFault {
  accountId: string;
  id: string;
  match: FaultMatch;
  effect: FaultEffect;
  condition: FaultCondition;
}

/** Whether a fault acts on its `count`-th match, counted from 1. */
export function actsOn({ condition, id }: Pick<InjectedFault, "condition" | "id">, count: number): boolean {
  const { nth, first, every, probability, seed = id } = condition;
  if (nth !== undefined && count !== nth) return false;
  if (first !== undefined && count > first) return false;
  if (every !== undefined && count % every !== 0) return false;
  return probability === undefined || chance(seed, count) < probability;
}

/** Whether a time is in the period of a fault. */
export function isInPeriod({ from, until }: FaultCondition, at: Date): boolean {
  return (from === undefined || at >= new Date(from)) && (until === undefined || at < new Date(until));
}

/** A number from 0 to 1 that a seed and a count determine. */
function chance(seed: string, count: number): number {
  return hash("sha256", `${count}:${seed}`, "buffer").readUInt32BE(0) / 2 ** 32;
}
