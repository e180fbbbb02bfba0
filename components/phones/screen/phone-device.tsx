"use client";

import dynamic from "next/dynamic";
import { useMemo, useState } from "react";
import { untilLoaded } from "@/components/data/until-loaded";
import { NewMessage } from "@/components/phones/new-message";
import {
  type OpenPhone,
  OpenPhoneProvider,
  type Place,
  useOpenPhone,
} from "@/components/phones/phone-context";
import { PhoneControls } from "@/components/phones/phone-controls";
import { PhoneFrame } from "@/components/phones/phone-frame";
import { attempt, phoneRequests } from "@/components/phones/phone-requests";
import { DeadScreen } from "@/components/phones/screen/dead-screen";
import { PhoneHome } from "@/components/phones/screen/phone-home";
import { PhoneThread } from "@/components/phones/screen/phone-thread";
import { recordRequests } from "@/components/phones/test-recorder/record-requests";
import type { RecordedStep } from "@/components/phones/test-recorder/recorded-step";
import type { Phone } from "@/lib/simulator/phone";
import type { PhoneChat, PhoneViews } from "@/lib/simulator/phones/phone-views";

// Loaded when they are first opened.
const PhoneGroup = dynamic(
  () => untilLoaded(async () => (await import("@/components/phones/screen/phone-group")).PhoneGroup),
  {
    loading: () => null,
  },
);
const PhoneBrowser = dynamic(
  () => untilLoaded(async () => (await import("@/components/phones/screen/phone-browser")).PhoneBrowser),
  {
    loading: () => null,
  },
);

export type PhoneDeviceProps = {
  phone: Phone;
  view: PhoneViews;
  baseUrl: string;
  /** The time in the status bar. */
  now: string;
  maySend: boolean;
  /** Whether the user last used this phone. */
  isActive: boolean;
  onUse: () => void;
  /** null when the phone can't be closed. */
  onClose: (() => void) | null;
  refresh: () => Promise<void>;
  /** Receives each action of the phone's user while a recording runs. */
  onStep?: ((step: RecordedStep) => void) | undefined;
};

/** One simulated phone: its device, the place its user is at, and its controls. */
export function PhoneDevice({
  phone,
  view,
  baseUrl,
  now,
  maySend,
  isActive,
  onUse,
  onClose,
  refresh,
  onStep,
}: PhoneDeviceProps) {
  const chats = view.screens.find(({ handle }) => handle === phone.handle)?.chats ?? [];
  const [place, go] = useState<Place>(() => firstPlace(chats));
  const [hasApps, setHasApps] = useState(true);
  const plain = useMemo(() => phoneRequests(phone.handle), [phone.handle]);
  const requests =
    onStep === undefined ? plain : recordRequests(plain, { phone: phone.handle, chats, onStep });

  async function run<Answer>(work: Promise<Answer>): Promise<Answer | null> {
    const answer = await attempt(work);
    await refresh();
    return answer;
  }

  const open: OpenPhone = {
    phone,
    chats,
    lines: view.lines,
    others: view.phones.filter(({ handle }) => handle !== phone.handle),
    mayAct: maySend && phone.connection === "online",
    hasApps,
    baseUrl,
    requests,
    run,
    place,
    go,
  };
  return (
    <OpenPhoneProvider value={open}>
      <section
        aria-label={`Phone of ${phone.name}`}
        onFocusCapture={onUse}
        onPointerDownCapture={onUse}
        className="flex min-w-0 flex-col gap-3"
      >
        <h2 className="sr-only">{phone.name}</h2>
        <PhoneFrame phone={phone} now={now} isActive={isActive}>
          <Screen place={place} chats={chats} isActive={isActive} />
          {phone.connection === "battery_dead" && (
            <DeadScreen
              onCharge={maySend ? () => void run(requests.change({ connection: "online" })) : null}
            />
          )}
        </PhoneFrame>
        <PhoneControls hasApps={hasApps} onHasApps={setHasApps} maySend={maySend} onClose={onClose} />
      </section>
    </OpenPhoneProvider>
  );
}

function firstPlace([latest]: readonly PhoneChat[]): Place {
  return latest === undefined ? { type: "home" } : { type: "chat", key: latest.key, chatId: latest.chat_id };
}

type ScreenProps = { place: Place; chats: readonly PhoneChat[]; isActive: boolean };

function Screen({ place, chats, isActive }: ScreenProps) {
  switch (place.type) {
    case "home":
      return <PhoneHome />;
    case "new":
      return <NewMessage />;
    case "browser":
      return <Browser place={place} />;
    case "group": {
      const chat = chats.find(({ key }) => key === place.key);
      return chat === undefined ? <PhoneHome /> : <PhoneGroup chat={chat} />;
    }
    case "chat": {
      const chat = chats.find(
        ({ key, chat_id }) => key === place.key || (chat_id !== null && chat_id === place.chatId),
      );
      return chat === undefined ? (
        <PhoneHome />
      ) : (
        <PhoneThread key={chat.key} chat={chat} isActive={isActive} />
      );
    }
  }
}

function Browser({ place }: { place: Extract<Place, { type: "browser" }> }) {
  const { phone, go } = useOpenPhone();
  return <PhoneBrowser phoneName={phone.name} url={place.url} onClose={() => go(place.back)} />;
}
