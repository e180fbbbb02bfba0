import "server-only";
import type { ActionCall, CardContent } from "@/lib/payments/experiences/card-content";
import { openLink } from "@/lib/payments/experiences/link";
import { linkToCustomerPage } from "@/lib/payments/experiences/servicecard";
import { requestPayment } from "@/lib/payments/experiences/servicepay";

export const FIELD_TYPES = ["string", "cents", "int", "url"] as const;

/** One field of an action. `max` is the maximum number of UTF-16 units of a string or URL. */
export interface Field {
  type: (typeof FIELD_TYPES)[number];
  max?: number;
  required?: boolean;
}

export interface Action {
  summary: string;
  fields: Readonly<Record<string, Field>>;
  /** Builds the card's content. Errors: parameter_invalid, state_conflict. */
  resolve(call: ActionCall): Promise<CardContent>;
}

interface ExperienceDefinition {
  displayName: string;
  actions: Readonly<Record<string, Action>>;
}

const TITLE = { type: "string", max: 128 } as const;
const NOTE = { type: "string", max: 512 } as const;

const COPY = { title: TITLE, note: NOTE } as const;

const EXPERIENCES = {
  servicepay: {
    displayName: "Payment request",
    actions: {
      request_payment: {
        summary:
          "A card to pay a payment request. Shows the amount and description of the request, and its status once paid",
        fields: { checkout_url: { type: "url", max: 2048, required: true } },
        resolve: requestPayment,
      },
    },
  },
  servicecard: {
    displayName: "Card",
    actions: {
      attach_card: {
        summary: "Asks the customer of an open payment to add a card to the wallet",
        fields: COPY,
        resolve: (call) => linkToCustomerPage(call, "attach"),
      },
      approve_card: {
        summary: "Asks the customer of an open payment to approve its card with a passkey",
        fields: COPY,
        resolve: (call) => linkToCustomerPage(call, "approve"),
      },
    },
  },
  link: {
    displayName: "Link",
    actions: {
      open: {
        summary: "A card that opens a URL",
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

/** All experiences by their names on the wire (docs/contract.md, section 15). */
export const experiences: ReadonlyMap<string, ExperienceDefinition> = new Map(Object.entries(EXPERIENCES));
