import type { Experience } from "@/lib/payments/experiences/experience";

/** An action of an experience. */
export type ExperienceAction = Experience["actions"][number];

/** The fields of an action, by name. */
export type ActionFields = ExperienceAction["fields"];
