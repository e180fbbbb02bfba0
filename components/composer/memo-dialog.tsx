"use client";

import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { ACCEPTED_SOUNDS, contentTypeOf, findVoiceMemoError } from "@/components/composer/files/file-type";
import { uploadFile } from "@/components/composer/files/upload-file";
import { requireNoneLeft } from "@/components/composer/outbox";
import { FailureNote } from "@/components/data/failure-note";
import { formatBytes } from "@/components/data/format-bytes";
import { useSender } from "@/components/shell/rights";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from "@/components/ui/dialog";
import { Spinner } from "@/components/ui/spinner";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { randomKey } from "@/lib/client/random-key";
import { senderHeader } from "@/lib/identity/sessions/sender";

type MemoDialogProps = { chatId: string; onClose: () => void; onSent: (messageId: string) => void };

/** Sends an audio file as a voice memo: a separate message that plays in its bubble. */
export function MemoDialog({ chatId, onClose, onSent }: MemoDialogProps) {
  const [file, setFile] = useState<File | null>(null);
  const problem = file && findVoiceMemoError(file);
  const { send, progress } = useMemoSend(chatId, (messageId) => {
    onSent(messageId);
    onClose();
  });

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>Send a voice memo</DialogTitle>
          <DialogDescription>
            Choose an MP3, M4A, AAC, CAF, WAV, AIFF or AMR file of up to 10 MB.
          </DialogDescription>
        </DialogHeader>
        <FailureNote title="The voice memo could not be sent" failure={send.error} />
        <SoundField file={file} problem={problem} onChoose={setFile} />
        <DialogFooter>
          <Button
            disabled={file === null || problem !== null || send.isPending}
            onClick={() => file && send.mutate(file)}
          >
            {send.isPending && <Spinner />}
            {send.isPending ? `Sending, ${Math.round(progress * 100)}%` : "Send voice memo"}
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}

type SoundFieldProps = { file: File | null; problem: string | null; onChoose: (file: File) => void };

function SoundField({ file, problem, onChoose }: SoundFieldProps) {
  return (
    <div className="flex min-w-0 flex-col gap-2 text-sm">
      <input
        type="file"
        accept={ACCEPTED_SOUNDS}
        aria-label="Audio file"
        className="w-full min-w-0 rounded-md border border-input bg-card p-2 text-sm file:mr-3 file:rounded-md file:border-0 file:bg-secondary file:px-2.5 file:py-1 file:text-secondary-foreground"
        onChange={({ target }) => target.files?.[0] && onChoose(target.files[0])}
      />
      {problem !== null && (
        <p role="alert" className="text-destructive-text">
          {problem}
        </p>
      )}
      {file !== null && problem === null && (
        <p className="text-muted-foreground tabular-nums">{formatBytes(file.size)}</p>
      )}
    </div>
  );
}

function useMemoSend(chatId: string, onSent: (messageId: string) => void) {
  const sender = useSender();
  const [progress, setProgress] = useState(0);
  // A retry reuses a completed upload, and its key, so that the memo is sent once.
  const uploaded = useRef<{ file: File; attachment_id: string; idempotency_key: string }>(undefined);
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);

  async function upload(file: File) {
    if (uploaded.current?.file === file) return uploaded.current;
    stop.current = new AbortController();
    const watched = { onProgress: setProgress, signal: stop.current.signal };
    const attachment_id = await uploadFile(file, contentTypeOf(file) ?? "", watched);
    uploaded.current = { file, attachment_id, idempotency_key: randomKey() };
    return uploaded.current;
  }

  const send = useMutation<string, ApiFailure, File>({
    mutationFn: async (file) => {
      const { attachment_id, idempotency_key } = await upload(file);
      // It must not overtake a message that can still be taken back.
      await requireNoneLeft(sender, chatId);
      const path = `/api/chats/${chatId}/voice-memos`;
      const body = { attachment_id, idempotency_key };
      const request = { method: "POST", body, headers: senderHeader(sender) } as const;
      const sent = await apiFetch<{ voice_memo: { id: string } }>(path, request);
      return sent.voice_memo.id;
    },
    onSuccess: onSent,
  });
  return { send, progress };
}
