"use client";

import { Circle, Music, Square } from "lucide-react";
import { makeSampleMemo, toBase64 } from "@/components/phones/apps/make-wav";
import { useVoiceRecorder } from "@/components/phones/apps/use-voice-recorder";
import { Button } from "@/components/ui/button";

/** Sends a voice memo: one that is recorded now, or a sample. */
export function MemoPanel({ onSend }: { onSend: (content: object) => Promise<void> }) {
  const send = (bytes: Uint8Array) =>
    void onSend({
      parts: [{ type: "media", filename: "Voice memo.wav", data: toBase64(bytes), voice_memo: true }],
    });
  const recorder = useVoiceRecorder(send);
  return (
    <div className="flex h-full flex-col items-center justify-center gap-3">
      {recorder.isOn ? (
        <Button variant="destructive" onClick={recorder.stop}>
          <Square />
          Stop and send
        </Button>
      ) : (
        <Button variant="outline" onClick={() => void recorder.start()}>
          <Circle className="fill-destructive text-destructive" />
          Record
        </Button>
      )}
      <Button variant="ghost" size="sm" disabled={recorder.isOn} onClick={() => send(makeSampleMemo())}>
        <Music />
        Send sample memo
      </Button>
      <p role="status" className="text-center text-muted-foreground text-xs">
        {recorder.problem ?? (recorder.isOn ? "Recording, up to 20 seconds" : "")}
      </p>
      {recorder.seconds !== null && (
        <p aria-hidden="true" className="text-muted-foreground text-xs tabular-nums">
          0:{String(recorder.seconds).padStart(2, "0")}
        </p>
      )}
    </div>
  );
}
