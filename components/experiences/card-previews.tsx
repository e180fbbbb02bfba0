import { Ban } from "lucide-react";
import type { ReactNode } from "react";
import { CardLayout } from "@/components/experiences/card-layout";
import type { ExperienceCard } from "@/lib/payments/experiences/to-card";

/** What a recipient gets: with the app, without it, and over SMS or RCS. */
export function CardPreviews({ card }: { card: ExperienceCard }) {
  return (
    <div className="grid min-w-0 items-start gap-4 sm:grid-cols-2">
      <Preview title="With the app" note="The card is live: a tap opens it inside the conversation.">
        <CardLayout {...card} />
      </Preview>
      <Preview title="Without the app" note="The card is a still picture: a tap opens the address.">
        <CardLayout {...card} />
        <p className="wrap-anywhere text-muted-foreground text-xs">
          Where no card can be shown: {card.fallback_text}
        </p>
      </Preview>
      <Preview
        title="SMS and RCS"
        note="2018 where the chat runs over SMS or RCS, 4005 where the recipient cannot be reached by iMessage. Send the link as text instead."
      >
        <p className="flex items-center gap-2 rounded-2xl border border-dashed px-3.5 py-2.5 text-[0.8125rem]">
          <Ban className="size-4 shrink-0 text-muted-foreground" aria-hidden="true" />
          Cannot receive cards
        </p>
      </Preview>
      <p className="text-muted-foreground text-xs leading-relaxed sm:self-end">
        What only a payment knows, such as its amount, is a sample here.
      </p>
    </div>
  );
}

function Preview({ title, note, children }: { title: string; note: string; children: ReactNode }) {
  return (
    <figure className="flex min-w-0 flex-col gap-2">
      <figcaption className="flex flex-col gap-0.5">
        <span className="font-medium text-[0.8125rem]">{title}</span>
        <span className="text-muted-foreground text-xs leading-relaxed">{note}</span>
      </figcaption>
      {children}
    </figure>
  );
}
