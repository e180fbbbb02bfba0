"use client";

import { CircleAlert, Clock, type LucideIcon, Paperclip } from "lucide-react";
import { type ReactNode, useEffect, useEffectEvent, useRef } from "react";
import type { Draft } from "@/components/composer/draft";
import { COMPOSER_FIELD_ID } from "@/components/composer/field-id";
import { mergeDrafts } from "@/components/composer/merge-drafts";
import {
  deliverUnsent,
  removeUnsent,
  retryUnsent,
  takeBack,
  type UnsentMessage,
} from "@/components/composer/outbox";
import { SendFailure } from "@/components/composer/send-failure";
import { type DraftState, isEmptyDraft } from "@/components/composer/use-draft";
import { useUnsent } from "@/components/composer/use-unsent";
import { toast } from "@/components/data/toast";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";

type UnsentMessagesProps = {
  chatId: string;
  /** Called once the server has accepted one. Resolves when the timeline has it. */
  onAccepted: (messageId: string) => Promise<void>;
  /** The composer's draft, into which a message is taken back. */
  writing: DraftState;
};

/** The messages of the chat that wait for the server, or that can be taken back, below those that it has accepted. */
export function UnsentMessages({ chatId, onAccepted, writing }: UnsentMessagesProps) {
  const messages = useUnsent(chatId);
  const changes: Changes = {
    onUndo: (message) => {
      if (takeBack(message.key)) putBack(writing, message.draft);
      else toast.error("The message is already being sent");
    },
    onEdit: isEmptyDraft(writing.draft) ? (draft) => putBack(writing, draft) : null,
  };
  useUndoKey(messages.findLast(({ state }) => state === "held") ?? null, changes.onUndo);
  const accepted = messages.find(({ state }) => state === "accepted");
  const replace = useEffectEvent(async ({ key, messageId }: UnsentMessage) => {
    if (messageId !== null) await onAccepted(messageId);
    removeUnsent(key);
  });
  useEffect(() => {
    if (accepted !== undefined) void replace(accepted);
  }, [accepted]);
  const last = useRef<HTMLElement>(null);
  const newest = messages.at(-1)?.key;
  useEffect(() => {
    if (newest !== undefined) last.current?.scrollIntoView({ block: "end" });
  }, [newest]);

  if (messages.length === 0) return null;
  return (
    <section aria-label="Unsent messages" ref={last} className="flex flex-col gap-3 pt-3">
      {messages.map((message) => (
        <Unsent key={message.key} message={message} {...changes} />
      ))}
    </section>
  );
}

/** Puts a message into the composer, before what it contains, and the cursor after it. */
function putBack(writing: DraftState, draft: Draft): void {
  writing.update((current) => mergeDrafts(draft, current));
  // Wait until the composer shows it.
  setTimeout(() => {
    const field = document.getElementById(COMPOSER_FIELD_ID);
    if (!(field instanceof HTMLTextAreaElement)) return;
    field.focus();
    field.setSelectionRange(draft.text.length, draft.text.length);
  });
}

/** Ctrl+Z and Cmd+Z take back the last message, unless they undo something that is being written. */
function useUndoKey(held: UnsentMessage | null, onUndo: (message: UnsentMessage) => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z";
    if (held === null || !isUndo || event.defaultPrevented || isWriting(event.target)) return;
    event.preventDefault();
    onUndo(held);
  });
  useEffect(() => {
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

function isWriting(target: EventTarget | null): boolean {
  if (target instanceof HTMLTextAreaElement && target.id === COMPOSER_FIELD_ID) return target.value !== "";
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}

interface Changes {
  onUndo: (message: UnsentMessage) => void;
  /** Takes a message back into the composer; null while the composer has another one. */
  onEdit: ((draft: Draft) => void) | null;
}

type UnsentProps = { message: UnsentMessage } & Changes;

function Unsent({ message, ...changes }: UnsentProps) {
  const { text, files } = message.draft;
  return (
    <article aria-label="Unsent message" className="flex w-full flex-col items-end gap-1">
      <div className="wrap-anywhere max-w-[min(92%,38rem)] whitespace-pre-wrap rounded-2xl rounded-br-md border border-muted-foreground/60 border-dashed bg-secondary px-3.5 py-2 text-[0.875rem] text-secondary-foreground leading-normal">
        {files.map(({ attachmentId, name }) => (
          <p key={attachmentId} className="flex items-center gap-1.5">
            <Paperclip className="size-3.5 shrink-0" aria-hidden="true" />
            {name}
          </p>
        ))}
        {text}
      </div>
      <State message={message} {...changes} />
    </article>
  );
}

function State({ message, onUndo, onEdit }: UnsentProps) {
  const { key, sender, state, refusal, tries } = message;
  const retry = (
    <Button variant="outline" size="xs" onClick={() => void deliverUnsent(sender)}>
      Retry
    </Button>
  );
  const changes = (
    <>
      {onEdit !== null && (
        <Button
          variant="outline"
          size="xs"
          onClick={() => {
            removeUnsent(key);
            onEdit(message.draft);
          }}
        >
          Edit
        </Button>
      )}
      <Button variant="outline" size="xs" onClick={() => removeUnsent(key)}>
        Delete
      </Button>
    </>
  );
  if (state === "held") {
    return (
      <Line icon={Clock} text={<span role="status">Sending…</span>}>
        <Button variant="outline" size="xs" title="Undo (Ctrl+Z)" onClick={() => onUndo(message)}>
          Undo
        </Button>
      </Line>
    );
  }
  if (state === "refused") {
    return (
      <Line icon={CircleAlert} isAlert text={refusal && <SendFailure failure={refusal} />}>
        <Button variant="outline" size="xs" onClick={() => retryUnsent(key)}>
          Retry
        </Button>
        {changes}
      </Line>
    );
  }
  if (state !== "waiting") {
    return (
      <p className="inline-flex items-center gap-1 px-1 text-muted-foreground text-xs">
        <Spinner className="size-3" />
        {tries > 1 ? "The server did not respond. Sending again…" : "Sending…"}
      </p>
    );
  }
  // The server may have accepted a message whose answer was lost: only the same message is safe to send again.
  if (tries > 0) {
    return (
      <Line
        icon={Clock}
        text="The server did not respond. The message is sent again, once, as soon as the server responds."
      >
        {retry}
      </Line>
    );
  }
  return (
    <Line icon={Clock} text="Not sent yet. It is sent as soon as you are online.">
      {retry}
      {changes}
    </Line>
  );
}

type LineProps = { icon: LucideIcon; isAlert?: boolean; text: ReactNode; children: ReactNode };

function Line({ icon: Icon, isAlert = false, text, children }: LineProps) {
  return (
    <div className="flex max-w-[min(85%,36rem)] flex-wrap items-center justify-end gap-x-2 gap-y-1 px-1 text-muted-foreground text-xs">
      <div
        role={isAlert ? "alert" : undefined}
        className={isAlert ? "flex gap-1 text-destructive-text" : "flex items-center gap-1"}
      >
        <Icon className="size-3 shrink-0" aria-hidden="true" />
        <div>{text}</div>
      </div>
      {children}
    </div>
  );
}
