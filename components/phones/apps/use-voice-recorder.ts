"use client";

import { useEffect, useRef, useState } from "react";
import { makeWav } from "@/components/phones/apps/make-wav";

const MAX_MS = 20_000;
const SAMPLE_RATE = 16_000;
const SLICE_MS = 100;

/**
 * Records the microphone as a WAV file, which every message service accepts. `onDone` receives the file. A component
 * that goes away while it records discards the recording. `seconds` = the length so far, null while nothing is recorded. It
 * counts from the first sound, because a microphone may start late.
 */
export function useVoiceRecorder(onDone: (bytes: Uint8Array) => void) {
  const recorder = useRef<MediaRecorder>(undefined);
  const isDiscarded = useRef(false);
  const [seconds, setSeconds] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    isDiscarded.current = false;
    return () => {
      isDiscarded.current = true;
      if (recorder.current?.state === "recording") recorder.current.stop();
    };
  }, []);
  async function start(): Promise<void> {
    setProblem(null);
    let stream: MediaStream;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    } catch {
      setProblem("The microphone is not available. Allow it in the browser, or send the sample.");
      return;
    }
    const pieces: Blob[] = [];
    const current = new MediaRecorder(stream);
    if (isDiscarded.current) {
      for (const track of stream.getTracks()) track.stop();
      return;
    }
    const limit = setTimeout(() => current.stop(), MAX_MS);
    let firstSoundAt: number | undefined;
    current.addEventListener("dataavailable", ({ data }) => {
      if (data.size === 0) return;
      pieces.push(data);
      firstSoundAt ??= performance.now();
      if (current.state === "recording") setSeconds(Math.floor((performance.now() - firstSoundAt) / 1000));
    });
    current.addEventListener("stop", () => {
      clearTimeout(limit);
      for (const track of stream.getTracks()) track.stop();
      if (isDiscarded.current) return;
      setSeconds(null);
      void toWav(new Blob(pieces)).then(onDone, () => setProblem("The audio could not be read. Try again."));
    });
    current.start(SLICE_MS);
    recorder.current = current;
    setSeconds(0);
  }

  return { isOn: seconds !== null, seconds, problem, start, stop: () => recorder.current?.stop() };
}

async function toWav(recorded: Blob): Promise<Uint8Array> {
  const decoder = new OfflineAudioContext(1, 1, SAMPLE_RATE);
  const audio = await decoder.decodeAudioData(await recorded.arrayBuffer());
  return makeWav(audio.getChannelData(0), audio.sampleRate);
}
