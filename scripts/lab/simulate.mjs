// npm run simulate -- --seed 1 [--steps 300] [--minutes 0.4] [--plan FILE] [--shrink 6]: draws a world and a history from a
// seed, runs it with real processes, people, receivers, an SMS center and faults, and checks what holds in every history. For
// a violation it prints the seed, the invariant and the last steps, looks for a shorter history, and saves its plan.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { buildServerIfStale } from "../build.mjs";
import { makePlan } from "./simulate/make-plan.mjs";
import { renderDetails, renderLastSteps, renderViolations } from "./simulate/render-result.mjs";
import { runPlan } from "./simulate/run-plan.mjs";
import { shrinkPlan } from "./simulate/shrink-plan.mjs";

const RESULTS = fileURLToPath(new URL("../../test-results", import.meta.url));

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    steps: { type: "string", default: "300" },
    minutes: { type: "string", default: "0.4" },
    plan: { type: "string" },
    shrink: { type: "string", default: "6" },
  },
});
const plan =
  values.plan === undefined
    ? makePlan({ seed: Number(values.seed), steps: Number(values.steps), minutes: Number(values.minutes) })
    : JSON.parse(readFileSync(values.plan, "utf8"));
await buildServerIfStale();
const { violations, details } = await run(plan, say);
say(renderDetails(details));
if (violations.length > 0) await explain(plan, violations);
else say(`Seed ${plan.seed}: every invariant holds.`);
process.exit(violations.length === 0 ? 0 : 1);

async function run(one, report) {
  const dataDir = path.join(os.tmpdir(), `trunkline-simulate-${process.pid}`);
  try {
    return await runPlan(one, { dataDir, say: report });
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Prints what was violated, then looks for a shorter history that violates the same, and prints and saves it. */
async function explain(failed, found) {
  say(`Seed ${failed.seed} violates:\n${renderViolations(found)}${renderLastSteps(failed)}`);
  const names = new Set(found.map(({ name }) => name));
  const shortest = await shrinkPlan(failed, {
    runs: Number(values.shrink),
    fails: async (candidate) => {
      const again = await run(candidate, () => undefined);
      const isSame = again.violations.some(({ name }) => names.has(name));
      say(`${candidate.steps.length} steps: ${isSame ? "violates the same" : "holds"}`);
      return isSame;
    },
  });
  mkdirSync(RESULTS, { recursive: true });
  const file = path.join(RESULTS, `simulation-${failed.seed}.json`);
  writeFileSync(file, JSON.stringify(shortest));
  say(
    `${renderLastSteps(shortest)}Run it again: npm run simulate -- --plan ${path.relative(process.cwd(), file)}`,
  );
}

function say(text) {
  process.stdout.write(`${text}\n`);
}
