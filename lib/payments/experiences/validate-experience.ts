import "server-only";
import type { ExperienceInvocation } from "@/lib/messaging/content/message-content";
import type { CardContent } from "@/lib/payments/experiences/card-content";
import { parseParams } from "@/lib/payments/experiences/parse-params";
import { type Action, experiences } from "@/lib/payments/experiences/registry";
import type { Context } from "@/lib/platform/context";
import { fail } from "@/lib/platform/errors/errors";
import { experienceNamed } from "@/lib/platform/text/accepted-names";

/** A valid experience and the content of its card. Stored with its message. */
export interface ValidExperience {
  name: string;
  action: string;
  params: Record<string, string | number>;
  card: CardContent;
}

/**
 * Checks an experience before it is sent and builds its card's content. Requires a known action, strict params, exactly
 * one recipient, and the action's own conditions (docs/contract.md, section 15). Errors: parameter_invalid,
 * state_conflict.
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
