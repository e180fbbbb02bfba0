import "server-only";
import { z } from "zod";
import { experiences, FIELD_TYPES } from "@/lib/payments/experiences/registry";

const ExperienceField = z
  .object({
    type: z
      .enum(FIELD_TYPES)
      .describe("Type of the value. `cents` is an amount in minor units; `url` is an absolute HTTPS URL."),
    max: z.int().optional().describe("Maximum length of a string or URL, in UTF-16 code units."),
    required: z.boolean().optional().describe("`true` if the field is required."),
  })
  .meta({ id: "ExperienceField", description: "A field of an action." });

/** A type of card and its actions (docs/contract.md, section 15). */
export const Experience = z
  .object({
    experience: z.string().describe("Name of the experience."),
    display_name: z.string().describe("Display name of the experience."),
    actions: z
      .array(
        z.object({
          name: z.string().describe("Name of the action."),
          summary: z.string().describe("Description of the action."),
          fields: z
            .record(z.string(), ExperienceField)
            .describe("Fields that `params` accepts. Unknown keys fail with 1005."),
        }),
      )
      .describe("Actions that can be sent."),
  })
  .meta({
    id: "Experience",
    description: "A native card and the actions it offers.",
    examples: [
      {
        experience: "servicepay",
        display_name: "Service Pay",
        actions: [
          {
            name: "request_payment",
            summary: "A card to pay a payment request.",
            fields: { checkout_url: { type: "url", max: 2048, required: true } },
          },
        ],
      },
    ],
  });

export type Experience = z.infer<typeof Experience>;

/** Returns an experience as the API shows it, or null for an unknown name. */
export function toExperience(name: string): Experience | null {
  const found = experiences.get(name);
  if (found === undefined) return null;
  const actions = Object.entries(found.actions).map(([action, { summary, fields }]) => ({
    name: action,
    summary,
    fields: { ...fields },
  }));
  return { experience: name, display_name: found.displayName, actions };
}
