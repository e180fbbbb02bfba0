"use client";

import { useState } from "react";
import type { ExperienceAction } from "@/components/experiences/action-fields";
import { CardPreviews } from "@/components/experiences/card-previews";
import { FieldInput } from "@/components/experiences/field-input";
import { fieldLabel } from "@/components/experiences/field-label";
import { sampleCardContent } from "@/components/experiences/sample-card-content";
import { useReadParams } from "@/components/experiences/use-read-params";
import { SendIntoChatButton } from "@/components/payments/send-into-chat-button";
import type { Chat } from "@/lib/messaging/chats/chat";
import { toCard } from "@/lib/payments/experiences/to-card";

type TryActionProps = {
  experience: string;
  action: ExperienceAction;
  /** The hosts of this instance. Their URLs don't need HTTPS. */
  ownHosts: string[];
  maySend: boolean;
};

/** Why a chat can't receive a card (docs/contract.md, section 15), or null. */
function refuseCard({ is_group, service }: Chat): string | null {
  if (is_group) return "Cards can't be sent to groups";
  return service === "SMS" || service === "RCS" ? `${service} chats can't receive cards` : null;
}

/** The form of an action, with a preview of its card and a send button. */
export function TryAction({ experience, action, ownHosts, maySend }: TryActionProps) {
  const [texts, setTexts] = useState<Record<string, string>>({});
  const { params, problems, isWhole } = useReadParams(action.fields, texts, ownHosts);
  const message = { experience: { name: experience, action: action.name, params } };

  return (
    <section
      aria-labelledby="try-action"
      className="flex min-w-0 flex-col gap-5 rounded-xl border bg-card p-5 shadow-xs"
    >
      <h2 id="try-action" className="scroll-mt-28 wrap-anywhere font-semibold text-sm">
        {fieldLabel(action.name)}{" "}
        <code className="font-normal text-muted-foreground text-xs">
          {experience}/{action.name}
        </code>
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
          <SendIntoChatButton
            label="Send to a chat"
            message={() => message}
            disabled={!isWhole}
            refuse={refuseCard}
          />
        )}
        <p className="text-muted-foreground text-xs">
          {maySend
            ? "Fill in the required fields, then send the card to a chat with one recipient."
            : "Your role can preview cards but not send them."}
        </p>
      </div>
    </section>
  );
}
