"use client";

import { useEffect, useRef, useState } from "react";
import { othersOf } from "@/components/phones/test-recorder/record-requests";
import type { RecordedStep } from "@/components/phones/test-recorder/recorded-step";
import type { PhoneChat, PhoneMessage, PhoneViews } from "@/lib/simulator/phones/phone-views";

/** Records the actions of the users of phones, and the messages from lines that arrive on the open phones. */
export function useTestRecorder(view: PhoneViews) {
  const [steps, setSteps] = useState<readonly RecordedStep[] | null>(null);
  const seen = useRef(new Set<string>());
  const isOn = steps !== null;

  useEffect(() => {
    if (!isOn) return;
    const arrived = arrivals(view).filter(({ key }) => !seen.current.has(key));
    for (const { key } of arrived) seen.current.add(key);
    if (arrived.length > 0) setSteps((all) => all && [...all, ...arrived.map(({ step }) => step)]);
  }, [isOn, view]);

  return {
    steps: steps ?? [],
    isOn,
    start(): void {
      seen.current = new Set(arrivals(view).map(({ key }) => key));
      setSteps([]);
    },
    /** Ends the recording and returns its steps. */
    stop(): readonly RecordedStep[] {
      const recorded = steps ?? [];
      setSteps(null);
      return recorded;
    },
    add: (step: RecordedStep) => setSteps((all) => all && [...all, step]),
  };
}

interface Arrival {
  key: string;
  step: RecordedStep;
}

function arrivals({ screens }: PhoneViews): Arrival[] {
  return screens.flatMap(({ handle, chats }) =>
    chats.flatMap((chat) =>
      chat.messages
        .filter(({ from }) => from === chat.line)
        // A phone has a message a moment before the message has its ID.
        .flatMap((message) =>
          message.message_id === null
            ? []
            : [{ key: `${handle} ${message.id}`, step: toStep(handle, chat, message, message.message_id) }],
        ),
    ),
  );
}

function toStep(phone: string, chat: PhoneChat, message: PhoneMessage, messageId: string): RecordedStep {
  const place = { phone, line: chat.line, chatId: chat.chat_id, others: othersOf(chat, phone) };
  if (message.poll !== null) {
    const options = message.poll.options.map(({ text }) => text);
    return { ...place, type: "receivesPoll", options, messageId };
  }
  const [part] = message.parts;
  if (part?.type !== "text" || message.parts.length !== 1) {
    return { type: "skipped", phone, what: "a message from the line that is neither one text nor a poll" };
  }
  return { ...place, type: "receives", text: part.value, messageId };
}
