"use client";

import { ArrowUp, Plus, X } from "lucide-react";
import { type KeyboardEvent, lazy, Suspense, useRef, useState } from "react";
import { sendsText } from "@/components/composer/sends-on-enter";
import { useOpenPhone } from "@/components/phones/phone-context";
import { describeMessage } from "@/components/phones/screen/describe-message";
import { EffectMenuButton } from "@/components/phones/screen/effect-menu-button";
import { useTyping } from "@/components/phones/use-typing";
import { Button } from "@/components/ui/button";
import type { PhoneChat, PhoneMessage } from "@/lib/simulator/phones/phone-views";

const PhoneApps = lazy(() =>
  import("@/components/phones/apps/phone-apps").then(({ PhoneApps: apps }) => ({ default: apps })),
);

/** A message of the conversation that the next one replies to. */
export type ReplyTarget = { message: PhoneMessage; partIndex: number };

type PhoneComposerProps = {
  /** The chat, or the line before there is one. */
  to: string;
  /** null for a new conversation. */
  chat: PhoneChat | null;
  /** The other members of a new group. */
  alsoTo?: readonly string[];
  reply?: ReplyTarget | null;
  onReplyEnd?: () => void;
  /** `chatId` is null when the message was dropped. */
  onSent: (messageId: string, chatId: string | null) => void;
};

/** The field in which the phone's user writes, with everything else a message can contain. */
export function PhoneComposer({ to, chat, alsoTo, reply = null, onReplyEnd, onSent }: PhoneComposerProps) {
  const { phone, mayAct, requests, run } = useOpenPhone();
  const [text, setText] = useState("");
  const [hasApps, setHasApps] = useState(false);
  const [isSending, setIsSending] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const typing = useTyping(chat?.chat_id ?? null);
  const isUsable = mayAct && chat?.is_open !== false;

  async function send(content: object): Promise<boolean> {
    setIsSending(true);
    const replied = reply?.message.message_id;
    const answer = await run(
      requests.write({
        to,
        ...content,
        ...(alsoTo !== undefined && alsoTo.length > 0 && { also_to: alsoTo }),
        ...(reply && replied && { reply_to: { message_id: replied, part_index: reply.partIndex } }),
      }),
    );
    setIsSending(false);
    if (answer === null) return false;
    onReplyEnd?.();
    onSent(answer.message_id ?? "", answer.chat_id);
    return true;
  }

  async function sendText(effect?: string): Promise<void> {
    if (text.trim() === "" || isSending || !isUsable) return;
    typing.forget();
    setText("");
    const wasSent = await send({ text, ...(effect !== undefined && { effect: { name: effect } }) });
    // Text typed meanwhile follows the text that was not sent.
    if (!wasSent) setText((next) => (next === "" ? text : `${text}\n${next}`));
    field.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (!sendsText(event)) return;
    event.preventDefault();
    void sendText();
  }

  return (
    <div className="border-t px-2 pt-2 pb-2">
      {reply && (
        <p className="flex items-center gap-2 px-1 pb-1.5 text-muted-foreground text-xs">
          <span className="min-w-0 flex-1 truncate">Reply to: {describeMessage(reply.message)}</span>
          <Button variant="ghost" size="icon-xs" aria-label="Cancel reply" onClick={onReplyEnd}>
            <X />
          </Button>
        </p>
      )}
      <div className="flex items-end gap-1.5">
        <Button
          variant="secondary"
          size="icon-sm"
          aria-label="Add to message"
          aria-expanded={hasApps}
          disabled={!isUsable}
          className="rounded-full"
          onClick={() => setHasApps(!hasApps)}
        >
          <Plus className={hasApps ? "rotate-45 transition-transform" : "transition-transform"} />
        </Button>
        <textarea
          ref={field}
          rows={1}
          value={text}
          disabled={!isUsable}
          aria-label={`Message from ${phone.name}`}
          placeholder={isUsable ? "Message" : "No connection"}
          className="field-sizing-content max-h-28 min-h-8 min-w-0 flex-1 resize-none rounded-2xl border border-input bg-background px-3 py-1 text-[0.9375rem] leading-snug focus-visible:outline-offset-0 disabled:opacity-60"
          onChange={({ target }) => {
            setText(target.value);
            typing.type(target.value);
          }}
          onKeyDown={onKeyDown}
        />
        <EffectMenuButton
          disabled={!isUsable || text.trim() === ""}
          onChoose={(effect) => void sendText(effect)}
        />
        <Button
          size="icon-sm"
          aria-label="Send"
          disabled={!isUsable || isSending || text.trim() === ""}
          className="rounded-full bg-bubble-imessage text-bubble-outbound-foreground hover:bg-bubble-imessage/90"
          onClick={() => void sendText()}
        >
          <ArrowUp />
        </Button>
      </div>
      {hasApps && isUsable && (
        <Suspense fallback={<p className="p-4 text-center text-muted-foreground text-xs">Loading…</p>}>
          <PhoneApps
            to={to}
            chat={chat}
            onSend={async (content) => {
              if (await send(content)) setHasApps(false);
            }}
            onClose={() => setHasApps(false)}
          />
        </Suspense>
      )}
    </div>
  );
}
