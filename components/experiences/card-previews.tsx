import { Ban } from "lucide-react";
import type { ReactNode } from "react";
import { CardLayout } from "@/components/experiences/card-layout";
import type { ExperienceCard } from "@/lib/payments/experiences/to-card";

/** Previews of a card: with the app, without it, and over SMS or RCS. */
export function CardPreviews({ card }: { card: ExperienceCard }) {
  return (
    <div className="grid min-w-0 items-start gap-4 sm:grid-cols-2">
      <Preview title="With the app" note="The card is interactive. Tapping it opens it in the conversation.">
        <CardLayout {...card} />
      </Preview>
      <Preview title="Without the app" note="The card is a static image. Tapping it opens the URL.">
        <CardLayout {...card} />
        <p className="wrap-anywhere text-muted-foreground text-xs">Fallback text: {card.fallback_text}</p>
      </Preview>
      <Preview
        title="SMS and RCS"
        note="Sending fails with error 2018 if the chat uses SMS or RCS, and with 4005 if the recipient doesn't have iMessage. Send the link as text instead."
      >
        <p className="flex items-center gap-2 rounded-2xl border border-dashed px-3.5 py-2.5 text-[0.8125rem]">
          <Ban className="size-4 shrink-0 text-muted-foreground" aria-hidden="true" />
          Cards not supported
        </p>
      </Preview>
      <p className="text-muted-foreground text-xs leading-relaxed sm:self-end">
        Payment details, such as the amount, are sample data.
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
