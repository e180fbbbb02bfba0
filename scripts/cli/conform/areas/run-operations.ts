import {
  ACCOUNT_STEPS,
  LAST_STEPS,
  PAYMENT_STEPS,
  READ_STEPS,
} from "@/scripts/cli/conform/areas/account-steps";
import { CHAT_STEPS } from "@/scripts/cli/conform/areas/chat-steps";
import { reasonToSkip, type Step } from "@/scripts/cli/conform/areas/operation-step";
import type { Run } from "@/scripts/cli/conform/run";
import { sectionOf } from "@/scripts/cli/conform/sections";
import { idAt } from "@/scripts/cli/conform/value-at";

/** All calls, in the order in which they depend on each other. */
export const STEPS: readonly Step[] = [
  ...READ_STEPS,
  ...ACCOUNT_STEPS,
  ...CHAT_STEPS,
  ...PAYMENT_STEPS,
  ...LAST_STEPS,
];

/** The area `operations`: calls every operation with values that are valid, and compares what it returns. */
export async function runOperations(run: Run): Promise<void> {
  for (const step of STEPS.filter(({ op }) => run.operations.has(op))) {
    await run.attempt("operations", step.op, () => runStep(run, step));
  }
  for (const { name } of run.operations.values()) {
    if (!STEPS.some(({ op }) => op === name))
      run.checks.skip("operations", name, "conform has no example of it");
  }
}

async function runStep(run: Run, step: Step): Promise<void> {
  const { world } = run;
  const name = step.as === undefined ? step.op : `${step.op} (${step.as})`;
  if (step.isOwnOnly !== true || world.isOwn) await step.before?.(run);
  const reason = reasonToSkip(step, world);
  if (reason !== null) return run.checks.skip("operations", name, reason);
  const { path, success } = run.operation(step.op);
  const { response, check } = await run.check(
    { area: "operations", name, section: sectionOf(path) },
    step.op,
    {
      ...callOf(step, run),
      expect: { status: success, ...step.expect },
    },
  );
  if (check.outcome === "skipped" || response.status >= 300) return;
  for (const [name, path] of Object.entries(step.keep ?? {})) world[name] = idAt(response.json, path);
  if (step.offers !== undefined) world[step.offers] = true;
}

/** The values of a step's call. */
function callOf({ path, query, body }: Step, { world }: Run) {
  return {
    ...(path !== undefined && { path: path(world) }),
    ...(query !== undefined && { query: query(world) }),
    ...(body !== undefined && { body: body(world) }),
  };
}
