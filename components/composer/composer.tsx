"use client";

import { ArrowUp } from "lucide-react";
import dynamic from "next/dynamic";
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useId, useRef } from "react";
import { ComposerNote, MAX_TEXT } from "@/components/composer/composer-note";
import { ComposerTools } from "@/components/composer/composer-tools";
import type { ComposerChat } from "@/components/composer/draft";
import { COMPOSER_FIELD_ID } from "@/components/composer/field-id";
import { pastedFiles } from "@/components/composer/files/pasted-files";
import type { Upload } from "@/components/composer/files/upload";
import { useDraftFiles } from "@/components/composer/files/use-draft-files";
import { useFileDrop } from "@/components/composer/files/use-file-drop";
import { isOfInputMethod, sendsText } from "@/components/composer/sends-on-enter";
import { MarkedField } from "@/components/composer/text/marked-field";
import { useMarks } from "@/components/composer/text/use-marks";
import { toContent } from "@/components/composer/to-content";
import type { DraftState } from "@/components/composer/use-draft";
import { useSend } from "@/components/composer/use-send";
import { useSendPlan } from "@/components/composer/use-send-plan";
import { untilLoaded } from "@/components/data/until-loaded";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { cn } from "@/lib/cn";

// Loaded with the first reply or file.
const ReplyBar = dynamic(
  () => untilLoaded(async () => (await import("@/components/composer/reply-bar")).ReplyBar),
  {
    loading: () => null,
  },
);
const UploadList = dynamic(
  () => untilLoaded(async () => (await import("@/components/composer/files/upload-list")).UploadList),
  {
    loading: () => null,
  },
);

// Loaded after the composer, which is usable without it.
const SendLaterButton = dynamic(
  () =>
    untilLoaded(async () => (await import("@/components/composer/later/send-later-button")).SendLaterButton),
  { ssr: false, loading: () => <div className="size-8" /> },
);

type ComposerProps = {
  place: ComposerChat;
  writing: DraftState;
  /** Why sending is blocked and what to do. Disables the composer. */
  closed: ReactNode;
  /** The reason to override the recipient's opt-out with the next message; null without an override. */
  override: string | null;
  /** The newest message of the chat; null without one, undefined while newer ones are not loaded. */
  lastMessageId: string | null | undefined;
  /** `messageId`: null for a message that waits in the thread. */
  onSent: (messageId: string | null) => void;
};

/** The message composer. Enter sends (on phones, only the button does), Shift+Enter starts a new line, Escape cancels a reply. */
export function Composer({ place, writing, closed, override, lastMessageId, onSent }: ComposerProps) {
  const { draft, change } = writing;
  const field = useRef<HTMLTextAreaElement>(null);
  const noteId = useId();
  const isClosed = Boolean(closed);
  const files = useDraftFiles(writing);
  const marks = useMarks(writing, field, place.isGroup);
  const isOver = useFileDrop(!isClosed, files.add);
  const sending = useSending({ place, writing, isClosed, override, lastMessageId, onSent }, files);

  function onKeyDown(event: KeyboardEvent): void {
    if (isOfInputMethod(event)) return;
    const style = event.ctrlKey || event.metaKey ? STYLE_KEYS[event.key.toLowerCase()] : undefined;
    const sends = sendsText(event);
    if (event.key === "Escape" && draft.reply !== null) change({ reply: null });
    if (style !== undefined || sends) event.preventDefault();
    if (style !== undefined) marks.style(style);
    if (sends) void sending.submit().then(marks.focus);
  }

  function onPaste(event: ClipboardEvent): void {
    const pasted = pastedFiles(event.clipboardData);
    if (pasted.length === 0) return;
    event.preventDefault();
    files.add(pasted);
  }

  return (
    <div className="flex flex-col gap-1.5">
      <div
        className={cn(
          "flex flex-col gap-1.5 rounded-xl border border-input bg-card p-1.5 shadow-xs has-[textarea:focus-visible]:border-ring has-[textarea:focus-visible]:outline-2 has-[textarea:focus-visible]:outline-ring",
          isClosed && "bg-muted",
          isOver && "border-ring border-dashed",
        )}
      >
        {draft.reply && <ReplyBar reply={draft.reply} onEnd={() => change({ reply: null })} />}
        {files.uploads.length > 0 && (
          <UploadList uploads={files.uploads} onRemove={files.remove} onRetry={files.retry} />
        )}
        <MarkedField
          field={field}
          value={sending.draft.text}
          marks={sending.draft.marks}
          onText={marks.onText}
          onSelect={marks.select}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          disabled={isClosed}
          readOnly={sending.pending}
          placeholder={isOver ? "Drop files to attach them" : "Write a message…"}
          id={COMPOSER_FIELD_ID}
          aria-label="Message"
          aria-describedby={noteId}
          aria-invalid={sending.draft.text.length > MAX_TEXT || undefined}
          className="mx-1"
        />
        {!isClosed && (
          <ComposerTools
            place={place}
            writing={writing}
            marks={marks}
            onFiles={files.add}
            onSent={onSent}
            overrides={override !== null}
          >
            <div className="flex items-center gap-0.5">
              {override === null && (
                <SendLaterButton
                  chatId={place.chatId}
                  draft={draft}
                  isReady={sending.isReady}
                  onScheduled={sending.clear}
                />
              )}
              <Button
                size="icon"
                disabled={!sending.isReady}
                onClick={() => void sending.submit().then(marks.focus)}
                aria-label="Send"
                className="rounded-lg"
              >
                {sending.pending ? <Spinner /> : <ArrowUp />}
              </Button>
            </div>
          </ComposerTools>
        )}
      </div>
      <ComposerNote
        id={noteId}
        closed={closed}
        waitsFor={sending.waitsFor}
        plan={sending.plan}
        draft={sending.draft}
      />
    </div>
  );
}

const STYLE_KEYS: Readonly<Record<string, string>> = { b: "bold", i: "italic", u: "underline" };

type Sending = Omit<ComposerProps, "closed"> & { isClosed: boolean };

/** Sends the draft. Also returns whether it is ready to send and the result of its dry run. */
function useSending(
  { place, writing, isClosed, override, lastMessageId, onSent }: Sending,
  files: ReturnType<typeof useDraftFiles>,
) {
  const { send, sending } = useSend(place.chatId, lastMessageId, onSent);
  const pending = sending !== null;
  // Text and files that are added meanwhile belong to the next message.
  const draft = sending ?? writing.draft;
  const content = toContent(draft);
  const waitsFor = sendDisabledReason(files.uploads, draft.text);
  const more = override === null ? {} : { override_optout: true };
  const asked = isClosed ? null : content;
  const plan = useSendPlan(`/api/chats/${place.chatId}/messages`, asked, more);
  const isReady = !isClosed && !pending && waitsFor === null && content !== null;

  function clear(): void {
    files.clear();
    writing.clear();
  }

  async function submit(): Promise<void> {
    if (!isReady) return;
    await send(draft, override, clear);
  }

  return { draft, pending, waitsFor, isReady, submit, clear, plan: asked === null ? undefined : plan.data };
}

function sendDisabledReason(uploads: readonly Upload[], text: string): string | null {
  if (text.length > MAX_TEXT) return "The message is too long to send.";
  if (uploads.some(({ state }) => state === "uploading"))
    return "You can send the message when all files are uploaded.";
  const isRefused = uploads.some(({ problem }) => problem !== null);
  return isRefused ? "Remove the files that failed, or retry their upload." : null;
}
