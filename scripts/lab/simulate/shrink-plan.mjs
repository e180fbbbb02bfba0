/**
 * Looks for a shorter history that still fails: drops halves of the steps, then quarters and so on, each time running the
 * rest with `fails`, at most `runs` times. Every step keeps its parameters and its time. Resolves with the shortest plan
 * that failed, which is the given one if no other did.
 */
export async function shrinkPlan(plan, { fails, runs }) {
  let shortest = plan;
  let left = runs;
  for (let size = Math.ceil(plan.steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < shortest.steps.length; ) {
      if (left-- === 0) return shortest;
      const candidate = { ...shortest, steps: without(shortest.steps, from, size) };
      if (candidate.steps.length > 0 && (await fails(candidate))) shortest = candidate;
      else from += size;
    }
  }
  return shortest;
}

function without(steps, from, size) {
  return [...steps.slice(0, from), ...steps.slice(from + size)];
}
