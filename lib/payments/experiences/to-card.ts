import type { CardContent } from "@/lib/payments/experiences/card-content";

/** The sender of the card on phones that have the app. */
const APP = { bundle_id: "app.trunkline.experiences", name: "Trunkline", team_id: "TRUNKLINE0" } as const;

/** The state of the card's subject. */
export type CardState = "open" | "done" | "ended";

/**
 * The delivered card of an experience, in the fields of an imessage_app part. With the app it is interactive. Without
 * it the same layout is a static image that opens `url`. `fallback_text` is for surfaces without cards. SMS and RCS
 * recipients can't receive a card (2018, 4005).
 */
export interface ExperienceCard {
  app: { bundle_id: string; name: string; team_id: string };
  layout: { caption: string; subcaption?: string; trailing_caption?: string; trailing_subcaption?: string };
  fallback_text: string;
  interactive: true;
  url: string;
}

const STATE_WORDS = {
  payment_request: { open: null, done: "Paid", ended: "No longer payable" },
  agent_payment: { open: null, done: "Done", ended: "No longer needed" },
} as const satisfies Record<NonNullable<CardContent["subject"]>["type"], Record<CardState, string | null>>;

/** Builds a card for a state of its subject. It is first sent as `open`, then as an update when the state changes. */
export function toCard(card: CardContent, state: CardState = "open"): ExperienceCard {
  const word = card.subject === null ? null : STATE_WORDS[card.subject.type][state];
  const lines = [card.title, card.aside, card.subtitle, word].filter((line) => line !== null);
  return {
    app: APP,
    layout: {
      caption: card.title,
      ...(card.subtitle !== null && { subcaption: card.subtitle }),
      ...(card.aside !== null && { trailing_caption: card.aside }),
      ...(word !== null && { trailing_subcaption: word }),
    },
    fallback_text: [...lines, card.url].join(" · ").slice(0, 1024),
    interactive: true,
    url: card.url,
  };
}
