import type { TimelineEntry } from "@/components/chats/timeline/timeline-entries";
import { formatDuration } from "@/components/home/format-figures";
import type { ChatTurn } from "@/lib/messaging/turns/list-chat-turns";

/** There is room for so many brackets beside the messages of a narrow window. */
const MAX_LANES = 3;
/** The settings of turns are in half seconds; a worker closes a turn a little later. */
const STEP_MS = 500;

/** Consecutive messages of a turn, with notes between them but no other messages. */
export interface TurnRun {
  /** The indexes of the entries of its first and its last message. */
  first: number;
  last: number;
  /** Runs that overlap are in different lanes. Lane 0 is next to the messages. */
  lane: number;
  /** The turns with exactly these messages, one for each subscription. */
  turns: readonly ChatTurn[];
}

/** Turns with exactly the same messages, one for each subscription. */
type TurnSet = readonly ChatTurn[];

/**
 * Where the brackets of a day are: a run for each distinct set of messages, or several if other people wrote in between.
 * Runs beyond the third of a message are left out. Takes as long as the day is, whatever other turns there are.
 */
export function toTurnRuns(entries: readonly TimelineEntry[], turns: readonly ChatTurn[]): TurnRun[] {
  const sets = setsOf(turns);
  const rows = entries.flatMap(({ message }, row) => (message === null ? [] : [row]));
  const places = new Map<TurnSet, number[]>();
  for (const [place, row] of rows.entries()) {
    for (const set of sets.get(entries[row]?.id ?? "") ?? [])
      places.set(set, [...(places.get(set) ?? []), place]);
  }

  const runs = [...places].flatMap(([set, numbers]) =>
    consecutive(numbers).map(([first = 0, last = 0]) => ({
      first: rows[first] ?? 0,
      last: rows[last] ?? 0,
      turns: set,
    })),
  );
  return inLanes(runs);
}

// A thread's days have the same turns.
const setsOfTurns = new WeakMap<readonly ChatTurn[], ReadonlyMap<string, TurnSet[]>>();

/** The sets of turns by the id of each of their messages. */
function setsOf(turns: readonly ChatTurn[]): ReadonlyMap<string, TurnSet[]> {
  const known = setsOfTurns.get(turns);
  if (known !== undefined) return known;
  const byMessage = new Map<string, TurnSet[]>();
  for (const [ids, set] of bySet(turns)) {
    for (const id of ids) byMessage.set(id, [...(byMessage.get(id) ?? []), set]);
  }
  setsOfTurns.set(turns, byMessage);
  return byMessage;
}

/** The turns by the set of their messages, each turn once. */
function bySet(turns: readonly ChatTurn[]): [ids: string[], set: ChatTurn[]][] {
  const distinct = new Map(turns.map((turn) => [turn.id, turn]));
  const sets = new Map<string, [string[], ChatTurn[]]>();
  for (const turn of distinct.values()) {
    const ids = [...turn.message_ids, ...turn.withdrawn].sort();
    const key = ids.join();
    sets.set(key, [ids, [...(sets.get(key)?.[1] ?? []), turn]]);
  }
  return [...sets.values()];
}

/** The first and the last number of each sequence without a gap. The numbers are ascending. */
function consecutive(numbers: readonly number[]): number[][] {
  const sequences: number[][] = [];
  for (const number of numbers) {
    const current = sequences.at(-1);
    if (current?.[1] === number - 1) current[1] = number;
    else sequences.push([number, number]);
  }
  return sequences;
}

/** In the order of their beginnings, runs need as many lanes as overlap somewhere. */
function inLanes(runs: readonly Omit<TurnRun, "lane">[]): TurnRun[] {
  const ends = Array<number>(MAX_LANES).fill(-1);
  return runs
    .toSorted((one, other) => one.first - other.first || one.last - other.last)
    .flatMap((run) => {
      const lane = ends.findIndex((end) => end < run.first);
      if (lane === -1) return [];
      ends[lane] = run.last;
      return { ...run, lane };
    });
}

/** "One turn · 5 messages, 1 withdrawn · after 2 s of quiet" */
export function describeTurns(turns: readonly ChatTurn[]): string {
  const [turn] = turns;
  if (turn === undefined) return "";
  const { message_ids: ids, withdrawn } = turn;
  return [
    turns.length === 1 ? "One turn" : `One turn for each of ${turns.length} subscriptions`,
    `${ids.length} ${ids.length === 1 ? "message" : "messages"}${withdrawn.length > 0 ? `, ${withdrawn.length} withdrawn` : ""}`,
    [...new Set(turns.map(describeEnd))].join(" or "),
  ].join(" · ");
}

function describeEnd({ reason, started_at, last_message_at, closed_at }: ChatTurn): string {
  const after = (start: string) =>
    formatDuration(Math.floor((Date.parse(closed_at) - Date.parse(start)) / STEP_MS) * STEP_MS);
  switch (reason) {
    case "quiet":
      return `after ${after(last_message_at)} of quiet`;
    case "max_wait":
      return `after ${after(started_at)}, its longest wait`;
    case "max_size":
      return "at its maximum size";
    case "answered":
      return "ended by an answer";
  }
}
