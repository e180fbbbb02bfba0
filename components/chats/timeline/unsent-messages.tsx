"use client";

import { CircleAlert, Clock, type LucideIcon, Paperclip } from "lucide-react";
import { type ReactNode, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { COMPOSER_FIELD_ID } from "@/components/composer/field-id";
import { lengthOfEarlier, mergeDrafts, type TakenText } from "@/components/composer/merge-drafts";
import { deliverUnsent, retryUnsent, takeBack } from "@/components/composer/outbox";
import { removeUnsent } from "@/components/composer/page-messages";
import { SendFailure } from "@/components/composer/send-failure";
import type { UnsentMessage } from "@/components/composer/stored-unsent";
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
  const [said, say] = useState("");
  const takenBack = useRef<TakenText[]>([]);

  function putBack({ draft, writtenAtMs }: UnsentMessage): void {
    const { text, reply } = writing.draft;
    const after = lengthOfEarlier(takenBack.current, writtenAtMs, text);
    takenBack.current = [...takenBack.current, { writtenAtMs, text: draft.text }];
    writing.update((current) => mergeDrafts(draft, current, after));
    say("Taken back");
    if (reply !== null && draft.reply !== null && reply.messageId !== draft.reply.messageId) {
      toast.success(`The draft replies to “${draft.reply.quote}” now`, {
        description: "It was a reply to another message before.",
      });
    }
    // Wait until the composer shows it.
    setTimeout(() => focusComposer((after === 0 ? 0 : after + 1) + draft.text.length));
  }

  const changes: Changes = {
    onUndo: (message) => {
      if (takeBack(message.key)) putBack(message);
      else toast.error("The message is already being sent");
    },
    onEdit: isEmptyDraft(writing.draft) ? putBack : null,
  };
  const held = messages.findLast(({ state }) => state === "held") ?? null;
  useUndoKey(held, changes.onUndo);
  const heldKey = held?.key;
  useEffect(() => {
    if (heldKey !== undefined) say("Sending. Undo with Ctrl+Z");
  }, [heldKey]);
  const accepted = messages.find(({ state }) => state === "accepted");
  const replace = useEffectEvent(async ({ key, messageId }: UnsentMessage) => {
    say("Sent");
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

  return (
    <>
      {/* Outside the thread, which is a live region of its own. */}
      {createPortal(
        <div role="status" className="sr-only">
          {said}
        </div>,
        document.body,
      )}
      {messages.length > 0 && (
        <section aria-label="Unsent messages" ref={last} className="flex flex-col gap-3 pt-3">
          {messages.map((message) => (
            <Unsent key={message.key} message={message} {...changes} />
          ))}
        </section>
      )}
    </>
  );
}

/** Focuses the composer, with the cursor at `position`; the thread while the composer is disabled. */
function focusComposer(position?: number): void {
  const field = document.getElementById(COMPOSER_FIELD_ID);
  if (!(field instanceof HTMLTextAreaElement) || field.disabled) {
    document.querySelector<HTMLElement>('[role="log"]')?.focus();
    return;
  }
  field.focus();
  if (position !== undefined) field.setSelectionRange(position, position);
}

/** Ctrl+Z and Cmd+Z take back the last message, unless they undo something that was written since. */
function useUndoKey(held: UnsentMessage | null, onUndo: (message: UnsentMessage) => void): void {
  const lastInputMs = useRef(0);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z";
    if (held === null || !isUndo || event.repeat || event.defaultPrevented) return;
    if (lastInputMs.current > held.writtenAtMs || isWriting(event.target) || hasPopup()) return;
    event.preventDefault();
    onUndo(held);
  });
  useEffect(() => {
    const onInput = ({ target }: Event) => {
      if (target instanceof HTMLElement && target.id === COMPOSER_FIELD_ID) lastInputMs.current = Date.now();
    };
    document.addEventListener("keydown", onKey);
    document.addEventListener("input", onInput);
    return () => {
      document.removeEventListener("keydown", onKey);
      document.removeEventListener("input", onInput);
    };
  }, []);
}

function isWriting(target: EventTarget | null): boolean {
  if (target instanceof HTMLTextAreaElement && target.id === COMPOSER_FIELD_ID) return target.value !== "";
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}

function hasPopup(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null;
}

interface Changes {
  onUndo: (message: UnsentMessage) => void;
  /** Takes a message back into the composer; null while the composer has another one. */
  onEdit: ((message: UnsentMessage) => void) | null;
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
  const { key, sender, state, refusal, tries, isUncertain = false } = message;
  const retry = (
    <Button variant="outline" size="xs" onClick={() => void deliverUnsent(sender)}>
      Retry
    </Button>
  );
  const changes = (
    <>
      {onEdit !== null && !isUncertain && (
        <Button
          variant="outline"
          size="xs"
          onClick={() => {
            removeUnsent(key);
            onEdit(message);
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
      <Line icon={Clock} text="Sending…">
        <UndoButton onClick={() => onUndo(message)} />
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
        text={
          refusal?.message ??
          "The server did not respond. The message is sent again, once, as soon as the server responds."
        }
      >
        {retry}
      </Line>
    );
  }
  return (
    <Line icon={Clock} text={refusal?.message ?? "Not sent yet. It is sent as soon as you are online."}>
      {retry}
      {changes}
    </Line>
  );
}

/** Ends with the hold. The focus must not end with it. */
function UndoButton({ onClick }: { onClick: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const shown = button.current;
    return () => {
      if (document.activeElement === shown) setTimeout(() => focusComposer());
    };
  }, []);
  return (
    <Button ref={button} variant="outline" size="xs" title="Undo (Ctrl+Z)" onClick={onClick}>
      Undo
    </Button>
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
