"use client";

import { useState } from "react";
import type { ExperienceAction } from "@/components/experiences/action-fields";
import { CardPreviews } from "@/components/experiences/card-previews";
import { FieldInput } from "@/components/experiences/field-input";
import { readParams } from "@/components/experiences/read-params";
import { sampleCardContent } from "@/components/experiences/sample-card-content";
import { SendIntoChat } from "@/components/payments/send-into-chat";
import type { Chat } from "@/lib/messaging/chats/chat";
import { toCard } from "@/lib/payments/experiences/to-card";

type TryActionProps = {
  experience: string;
  action: ExperienceAction;
  /** The hosts of this instance, whose addresses count as https. */
  ownHosts: string[];
  maySend: boolean;
};

/** Why a chat cannot get a card (partner-api.md, Experiences), or null. */
function refuseCard({ is_group, service }: Chat): string | null {
  if (is_group) return "A card goes to one recipient";
  return service === "SMS" || service === "RCS" ? `${service} cannot receive cards` : null;
}

/** An action filled in, what its card would look like, and sending it. */
export function TryAction({ experience, action, ownHosts, maySend }: TryActionProps) {
  const [texts, setTexts] = useState<Record<string, string>>({});
  const { params, problems, isWhole } = readParams(action.fields, texts, ownHosts);
  const message = { experience: { name: experience, action: action.name, params } };

  return (
    <section
      aria-labelledby="try-action"
      className="flex min-w-0 flex-col gap-5 rounded-xl border bg-card p-5 shadow-xs"
    >
      <h2 id="try-action" className="scroll-mt-28 wrap-anywhere font-mono font-semibold text-sm">
        {experience}/{action.name}
      </h2>
      <fieldset className="flex min-w-0 flex-col gap-4">
        <legend className="sr-only">Fields of {action.name}</legend>
        {Object.entries(action.fields).map(([name, field]) => (
          <FieldInput
            key={name}
            name={name}
            field={field}
            text={texts[name] ?? ""}
            problem={problems[name]}
            onChange={(text) => setTexts((known) => ({ ...known, [name]: text }))}
          />
        ))}
      </fieldset>
      <CardPreviews card={toCard(sampleCardContent(action.name, params))} />
      <div className="flex flex-wrap items-center gap-3 border-t pt-4">
        {maySend && (
          <SendIntoChat
            label="Send into a chat"
            message={() => message}
            disabled={!isWhole}
            refuse={refuseCard}
          />
        )}
        <p className="text-muted-foreground text-xs">
          {maySend
            ? "It goes to a chat with one recipient. Fill in what is required first."
            : "Your role can try actions out but not send any."}
        </p>
      </div>
    </section>
  );
}
