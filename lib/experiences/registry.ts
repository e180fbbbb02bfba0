import "server-only";
import type { ActionCall, CardFacts } from "@/lib/experiences/card-facts";
import { openLink } from "@/lib/experiences/link";

export const FIELD_TYPES = ["string", "cents", "int", "url"] as const;

/** What one field of an action takes. `max` = the most UTF-16 units of a string or url. */
export interface Field {
  type: (typeof FIELD_TYPES)[number];
  max?: number;
  required?: boolean;
}

export interface Action {
  summary: string;
  fields: Readonly<Record<string, Field>>;
  /** What its card shows. Errors: parameter_invalid, state_conflict. */
  resolve(call: ActionCall): Promise<CardFacts>;
}

interface ExperienceDefinition {
  displayName: string;
  actions: Readonly<Record<string, Action>>;
}

const TITLE = { type: "string", max: 128 } as const;
const NOTE = { type: "string", max: 512 } as const;

const EXPERIENCES = {
  link: {
    displayName: "Link",
    actions: {
      open: {
        summary: "A card that opens the URL it is given",
        fields: {
          url: { type: "url", max: 2048, required: true },
          title: TITLE,
          subtitle: { type: "string", max: 256 },
          note: NOTE,
        },
        resolve: openLink,
      },
    },
  },
} as const satisfies Record<string, ExperienceDefinition>;

/** Every experience, by its name on the wire (partner-api.md, Experiences; contract.md 1.10). */
export const experiences: ReadonlyMap<string, ExperienceDefinition> = new Map(Object.entries(EXPERIENCES));
