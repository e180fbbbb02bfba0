import { setTimeout as sleep } from "node:timers/promises";
import { drain } from "./drain.mjs";
import { FAULTS } from "./faults.mjs";
import { checkInvariants } from "./invariants.mjs";
import { openWorld } from "./open-world.mjs";
import { readRecord } from "./read-record.mjs";
import { STEP_TYPES } from "./step-types.mjs";

/** How often the invariants are checked during the history. */
const CHECK_MS = 4000;

/**
 * Runs a plan in a new world in `dataDir`: starts each step at its time, checks the invariants meanwhile, lets all work
 * end after the last step, and checks again. Resolves with the violated invariants, counts and the record.
 */
export async function runPlan(plan, { dataDir, say = () => undefined }) {
  const openedAt = performance.now();
  const world = await openWorld({ ...plan, dataDir });
  say(`the world is ready after ${((performance.now() - openedAt) / 1000).toFixed(1)} s`);
  try {
    const startedAt = performance.now();
    const lanes = new Map();
    const during = checkDuring(world);
    for (const step of plan.steps) {
      const waitMs = startedAt + step.atMs - performance.now();
      if (waitMs > 0) await sleep(waitMs);
      if (during.violations.length > 0) break;
      if (step.type === "fault") say(`${seconds(startedAt)}  ${step.fault} (${step.lane})`);
      const lane = `${step.partner ?? "fault"} ${step.lane}`;
      lanes.set(
        lane,
        (lanes.get(lane) ?? Promise.resolve()).then(() => perform(world, step)),
      );
    }
    await Promise.all(lanes.values());
    await during.stop();
    if (during.violations.length > 0)
      return { violations: during.violations, details: detailsOf(world, null) };
    say(`${seconds(startedAt)}  all steps are done`);
    const drained = await drain(world, say);
    const record = await readRecord(world, { ...drained, isEnd: true });
    return { violations: checkInvariants(record), details: detailsOf(world, record), record };
  } finally {
    await world.close();
  }
}

async function perform(world, step) {
  const at = performance.now();
  if (step.type !== "fault") return STEP_TYPES[step.type].perform(world, step);
  await FAULTS[step.fault].perform(world, step);
  world.history.faults.push({ ...step, begunAt: at, endedAt: performance.now() });
}

/** Checks the invariants that hold at any time, again and again. */
function checkDuring(world) {
  const violations = [];
  let isRunning = true;
  const running = (async () => {
    for (;;) {
      await sleep(CHECK_MS);
      if (!isRunning || violations.length > 0) return;
      violations.push(...checkInvariants(await readRecord(world, { isEnd: false })));
    }
  })();
  return {
    violations,
    stop() {
      isRunning = false;
      return running;
    },
  };
}

function detailsOf({ history }, record) {
  const accepted = history.sends.filter(({ outcome }) => outcome === "accepted");
  return {
    requests: history.requests.length,
    "sends accepted": new Set(accepted.map(({ messageId }) => messageId)).size,
    "sends rejected": history.sends.filter(({ outcome }) => outcome === "rejected").length,
    "sends without an answer": history.sends.filter(({ outcome }) => outcome === "unknown").length,
    ...scheduledOf(history, record),
    "messages from people": history.texts.length,
    faults: history.faults.length,
    ...(record !== null && {
      "messages failed": record.messages.filter(({ status }) => status === "failed").length,
      events: record.events.length,
      deliveries: record.deliveries.length,
      "seconds until all was done": record.drainSeconds,
    }),
  };
}

function scheduledOf({ scheduled }, record) {
  const count = (kind, wanted) =>
    scheduled.flatMap(({ asks }) => asks).filter((ask) => ask.kind === kind && ask.outcome === wanted).length;
  const changes = ["move", "cancel"];
  return {
    "sends scheduled": count("schedule", "done"),
    "scheduled sends moved": count("move", "done"),
    "scheduled sends canceled": count("cancel", "done"),
    "changes of them that came too late": changes.reduce((sum, kind) => sum + count(kind, "refused"), 0),
    "scheduled sends without an answer": ["schedule", ...changes].reduce(
      (sum, kind) => sum + count(kind, "unknown"),
      0,
    ),
    ...(record !== null && { "scheduled sends that left or were refused": record.left.length }),
  };
}

function seconds(startedAt) {
  return `${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s`;
}
