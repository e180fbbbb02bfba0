import "server-only";
import { z } from "zod";
import type { CardFacts } from "@/lib/payments/experiences/card-facts";
import { parseParams } from "@/lib/payments/experiences/parse-params";
import { type Action, experiences } from "@/lib/payments/experiences/registry";
import { experienceNamed } from "@/lib/platform/accepted-names";
import type { Context } from "@/lib/platform/context";
import { fail } from "@/lib/platform/errors";
import { maxUnits } from "@/lib/platform/max-units";

/** A message's `experience` as it is sent (partner-api.md, MessageContent). */
export const ExperienceInvocation = z
  .object({
    name: z.string().check(maxUnits(64)).describe("Name of the experience."),
    action: z.string().check(maxUnits(64)).describe("Name of the action."),
    params: z
      .record(z.string(), z.unknown())
      .default({})
      .describe("Fields of the action, as `GET /v3/experiences` lists them."),
  })
  .meta({
    id: "ExperienceInvocation",
    description:
      "A native card to send. Goes to exactly one recipient; SMS and RCS recipients cannot receive cards.",
    examples: [
      {
        name: "servicepay",
        action: "request_payment",
        params: { checkout_url: "https://pay.example.com/pay/harbor-kitchen?session=tlpay_example" },
      },
    ],
  });

export type ExperienceInvocation = z.infer<typeof ExperienceInvocation>;

/** An experience that may be sent: what was asked for, and what its card shows. Kept with its message. */
export interface ValidExperience {
  name: string;
  action: string;
  params: Record<string, string | number>;
  card: CardFacts;
}

/**
 * Checks an experience before it is sent and settles what its card shows: a known action, strict params, exactly one
 * recipient, and what the action itself asks for (partner-api.md, Experiences). Errors: parameter_invalid, state_conflict.
 */
export async function validateExperience(
  ctx: Context,
  { name: givenName, action, params }: ExperienceInvocation,
  recipients: readonly string[],
): Promise<ValidExperience> {
  const name = experienceNamed(givenName);
  const { fields, resolve } = findAction(name, action);
  const parsed = parseParams(fields, params);
  const [recipient] = recipients;
  if (recipient === undefined || recipients.length > 1) {
    fail("parameter_invalid", "message.experience supports exactly one recipient: send it to a direct chat");
  }

  const card = await resolve({ ctx, params: parsed, recipient });

  return { name, action, params: parsed, card };
}

function findAction(name: string, action: string): Action {
  const experience = experiences.get(name);
  if (experience === undefined) {
    const names = [...experiences.keys()].join(", ");
    fail(
      "parameter_invalid",
      `message.experience.name: there is no experience "${name}": use one of ${names}`,
    );
  }
  if (!Object.hasOwn(experience.actions, action)) {
    const actions = Object.keys(experience.actions).join(", ");
    fail(
      "parameter_invalid",
      `message.experience.action: ${name} has no action "${action}": use one of ${actions}`,
    );
  }
  return experience.actions[action] ?? fail("parameter_invalid");
}
