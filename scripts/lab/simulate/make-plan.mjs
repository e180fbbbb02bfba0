import { drawFault } from "./faults.mjs";
import { drawStep } from "./step-types.mjs";
import { streamOf } from "./stream-of.mjs";

/** Mean time between two faults. */
const FAULT_MS = 3500;
/** The history goes on without faults for a moment at its begin and end. */
const QUIET_MS = 1000;

/**
 * Draws a world and a history from a seed: the processes, partners, people and receivers of the world, and the steps and
 * faults with the time of each since the begin. The same arguments give the same plan. Every step draws from a random
 * stream of its own, so that a history without some of its steps is otherwise the same.
 */
export function makePlan({ seed, steps, minutes }) {
  const durationMs = minutes * 60_000;
  const world = drawWorld(streamOf(seed, "world"));
  const times = streamOf(seed, "times");
  const performed = Array.from({ length: steps }, (_, number) => ({
    number,
    atMs: times.below(durationMs),
    ...drawStep(streamOf(seed, `step ${number}`), world),
  }));
  return {
    seed,
    world,
    steps: [...performed, ...drawFaults({ seed, world, durationMs, from: steps })].sort(byTime),
  };
}

function drawFaults({ seed, world, durationMs, from }) {
  const count = Math.max(1, Math.floor((durationMs - 2 * QUIET_MS) / FAULT_MS));
  const times = streamOf(seed, "times of faults");
  return Array.from({ length: count }, (_, index) => ({
    number: from + index,
    atMs: QUIET_MS + times.below(Math.max(1, durationMs - 2 * QUIET_MS)),
    ...drawFault(streamOf(seed, `fault ${index}`), world),
  }));
}

function drawWorld(random) {
  const partners = Array.from({ length: 1 + random.below(2) }, () => drawPartner(random, "simulator"));
  return {
    webs: 1 + random.below(2),
    workers: 1 + random.below(2),
    partners: [...partners, drawPartner(random, "smpp")],
  };
}

function drawPartner(random, transport) {
  const people = 3 + random.below(4);
  return {
    transport,
    people: Array.from({ length: people }, () => ({
      delayMs: random.below(300),
      readAfterMs: random.chance(0.3) ? random.below(500) : null,
    })),
    /** The members of each group. */
    groups:
      transport === "smpp"
        ? []
        : [
            [0, 1],
            [0, 1, 2],
          ].slice(0, random.below(3)),
    /** Each receiver is a subscription: how it answers while nothing is wrong with it. */
    receivers: Array.from({ length: 1 + random.below(2) }, () => ({
      slowMs: random.chance(0.3) ? 50 + random.below(500) : 0,
      failing: random.chance(0.3) ? 0.2 : 0,
    })),
  };
}

function byTime(a, b) {
  return a.atMs - b.atMs || a.number - b.number;
}
