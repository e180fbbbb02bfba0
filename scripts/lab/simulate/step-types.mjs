import { drawWeighted } from "./draw-weighted.mjs";
import { PAYMENT_STEPS } from "./steps/payments.mjs";
import { PEOPLE_STEPS } from "./steps/people.mjs";
import { PROGRAM_STEPS } from "./steps/programs.mjs";
import { SCHEDULED_STEPS } from "./steps/scheduled.mjs";
import { SEND_STEPS } from "./steps/sends.mjs";

/**
 * The steps of a history by name. `weight` is how often a step is drawn, `draw` its parameters, and `perform` what it
 * does. Steps of a partner on one `lane` follow each other, all others happen at the same time.
 */
export const STEP_TYPES = {
  ...SEND_STEPS,
  ...SCHEDULED_STEPS,
  ...PEOPLE_STEPS,
  ...PAYMENT_STEPS,
  ...PROGRAM_STEPS,
};

/** Draws a step: its type, its lane and its parameters. */
export function drawStep(random, world) {
  const type = drawWeighted(random, STEP_TYPES);
  const partner = random.below(world.partners.length);
  return { type, partner, ...STEP_TYPES[type].draw(random, world.partners[partner], world) };
}
