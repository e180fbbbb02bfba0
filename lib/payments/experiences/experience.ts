import "server-only";
import { z } from "zod";
import { experiences, FIELD_TYPES } from "@/lib/payments/experiences/registry";

const ExperienceField = z
  .object({
    type: z.enum(FIELD_TYPES),
    /** The most UTF-16 units of a string or url. */
    max: z.int().optional(),
    required: z.boolean().optional(),
  })
  .meta({ id: "ExperienceField" });

/** A kind of card and what can be done with it (partner-api.md, Experience). */
export const Experience = z
  .object({
    experience: z.string(),
    display_name: z.string(),
    actions: z.array(
      z.object({ name: z.string(), summary: z.string(), fields: z.record(z.string(), ExperienceField) }),
    ),
  })
  .meta({ id: "Experience" });

export type Experience = z.infer<typeof Experience>;

/** An experience as the API shows it; null when nobody has the name. */
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
