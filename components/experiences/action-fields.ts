import type { Experience } from "@/lib/payments/experiences/experience";

/** What can be done with an experience. */
export type ExperienceAction = Experience["actions"][number];

/** What an action takes, by name. */
export type ActionFields = ExperienceAction["fields"];
