"use client";

import { BarChart3, Hand, ImageIcon, type LucideIcon, MapPin, Mic, Sticker } from "lucide-react";
import { type ChangeEvent, useMemo, useState } from "react";
import { toast } from "@/components/data/toast";
import { base64Of, drawSample, PHOTOS, type Sample, STICKERS } from "@/components/phones/apps/draw-samples";
import { LocationPanel } from "@/components/phones/apps/location-panel";
import { toBase64 } from "@/components/phones/apps/make-wav";
import { MemoPanel } from "@/components/phones/apps/memo-panel";
import { OptOutPanel } from "@/components/phones/apps/opt-out-panel";
import { PollPanel } from "@/components/phones/apps/poll-panel";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/cn";
import type { PhoneChat } from "@/lib/simulator/phones/phone-views";

type PhoneAppsProps = {
  to: string;
  chat: PhoneChat | null;
  onSend: (content: object) => Promise<void>;
  onClose: () => void;
};

type App = "photos" | "stickers" | "memo" | "location" | "poll" | "opt-out";

const APPS: readonly { name: App; label: string; icon: LucideIcon }[] = [
  { name: "photos", label: "Photos", icon: ImageIcon },
  { name: "stickers", label: "Stickers", icon: Sticker },
  { name: "memo", label: "Voice memo", icon: Mic },
  { name: "location", label: "Location", icon: MapPin },
  { name: "poll", label: "Poll", icon: BarChart3 },
  { name: "opt-out", label: "Opt-out keywords", icon: Hand },
];

/** The content that a phone can send besides text: photos, stickers, voice memos, its location, polls and opt-out keywords. */
export function PhoneApps({ to, chat, onSend, onClose }: PhoneAppsProps) {
  const [app, setApp] = useState<App>("photos");
  return (
    <div className="flex h-56 flex-col gap-2 pt-2">
      <div role="toolbar" aria-label="Add to message" className="flex justify-between gap-1">
        {APPS.map(({ name, label, icon: Icon }) => (
          <Button
            key={name}
            variant={app === name ? "secondary" : "ghost"}
            size="sm"
            aria-pressed={app === name}
            aria-label={label}
            title={label}
            className="flex-1 px-0"
            onClick={() => setApp(name)}
          >
            <Icon />
          </Button>
        ))}
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-0.5 pb-1">
        {app === "photos" && <Photos onSend={onSend} />}
        {app === "stickers" && <Stickers onSend={onSend} />}
        {app === "memo" && <MemoPanel onSend={onSend} />}
        {app === "location" && <LocationPanel to={to} chat={chat} onDone={onClose} />}
        {app === "poll" && <PollPanel onSend={onSend} />}
        {app === "opt-out" && <OptOutPanel isGroup={chat?.is_group === true} onSend={onSend} />}
      </div>
    </div>
  );
}

const PHOTO = { width: 1200, height: 900, type: "image/jpeg" } as const;
const THUMBNAIL = { width: 160, height: 120, type: "image/jpeg" } as const;
const STICKER = { width: 320, height: 320, type: "image/png" } as const;
const MAX_FILE_BYTES = 1024 * 1024;

function mediaPart(filename: string, data: string, more: object = {}): object {
  return { parts: [{ type: "media", filename, data, ...more }] };
}

type PanelProps = Pick<PhoneAppsProps, "onSend">;

function Photos({ onSend }: PanelProps) {
  const send = (sample: Sample) =>
    void onSend(mediaPart(`${sample.name}.jpg`, base64Of(drawSample(sample, PHOTO))));

  async function sendFile({ target }: ChangeEvent<HTMLInputElement>): Promise<void> {
    const [file] = target.files ?? [];
    if (file === undefined) return;
    if (file.size > MAX_FILE_BYTES) {
      toast.error("A phone can send files of up to 1 MB. Choose a smaller file.");
      return;
    }
    await onSend(mediaPart(file.name, toBase64(new Uint8Array(await file.arrayBuffer()))));
  }

  return (
    <div className="flex flex-col gap-2">
      <ul aria-label="Camera roll" className="grid grid-cols-3 gap-1.5">
        {PHOTOS.map((sample) => (
          <li key={sample.name}>
            <SampleButton
              sample={sample}
              drawing={THUMBNAIL}
              onPress={() => send(sample)}
              className="rounded-lg"
            />
          </li>
        ))}
      </ul>
      <label className="flex cursor-pointer items-center justify-center rounded-md border py-1.5 text-sm focus-within:outline-2 focus-within:outline-ring hover:bg-accent">
        Choose a file…
        <input type="file" className="sr-only" onChange={(event) => void sendFile(event)} />
      </label>
    </div>
  );
}

function Stickers({ onSend }: PanelProps) {
  const send = (sample: Sample) =>
    void onSend(mediaPart("sticker.png", base64Of(drawSample(sample, STICKER)), { sticker: true }));
  return (
    <ul aria-label="Stickers" className="grid grid-cols-4 gap-2">
      {STICKERS.map((sample) => (
        <li key={sample.name}>
          <SampleButton sample={sample} drawing={STICKER} onPress={() => send(sample)} />
        </li>
      ))}
    </ul>
  );
}

type SampleButtonProps = {
  sample: Sample;
  drawing: Parameters<typeof drawSample>[1];
  onPress: () => void;
  className?: string;
};

function SampleButton({ sample, drawing, onPress, className }: SampleButtonProps) {
  const image = useMemo(() => drawSample(sample, drawing), [sample, drawing]);
  return (
    <button
      type="button"
      aria-label={`Send ${sample.name}`}
      onClick={onPress}
      className={cn("w-full overflow-hidden hover:opacity-80", className)}
    >
      {/* biome-ignore lint/performance/noImgElement: drawn in the browser */}
      <img src={image} alt="" className="w-full" />
    </button>
  );
}
