"use client";

import { createContext, useContext } from "react";
import type { PhoneRequests } from "@/components/phones/phone-requests";
import type { Phone } from "@/lib/simulator/phone";
import type { PhoneChat, PhoneViews } from "@/lib/simulator/phones/phone-views";

/** A place on a phone's screen. A conversation is found by its key, or by its chat before it has been loaded. */
export type Place =
  | { type: "home" }
  | { type: "new" }
  | { type: "chat"; key: string | null; chatId: string | null }
  | { type: "group"; key: string }
  | { type: "browser"; url: string; back: Place };

/** The open phone that a component belongs to. */
export interface OpenPhone {
  phone: Phone;
  chats: readonly PhoneChat[];
  lines: PhoneViews["lines"];
  /** The other phones of the account. */
  others: readonly Phone[];
  /** Whether the user may act and the phone has a connection. */
  mayAct: boolean;
  /** Whether the phone has the apps that cards belong to. */
  hasApps: boolean;
  /** The base URL of the instance, whose checkout and wallet open in the phone. */
  baseUrl: string;
  requests: PhoneRequests;
  /** Runs a change, shows its error as a toast, and loads the screens again. Resolves to null after an error. */
  run: <Answer>(work: Promise<Answer>) => Promise<Answer | null>;
  place: Place;
  go: (place: Place) => void;
}

const OpenPhoneContext = createContext<OpenPhone | null>(null);

export const OpenPhoneProvider = OpenPhoneContext;

export function useOpenPhone(): OpenPhone {
  const open = useContext(OpenPhoneContext);
  if (open === null) throw new Error("a part of a phone is outside of it");
  return open;
}

/** The name of a member of a conversation on this phone. */
export function nameOf(chat: PhoneChat, handle: string): string {
  if (handle === chat.line) return chat.line_name ?? chat.line;
  return chat.members.find((member) => member.handle === handle)?.name ?? handle;
}

/** The title of a conversation: the name of a group, or of the line. */
export function titleOf(chat: PhoneChat, phone: string): string {
  if (!chat.is_group) return nameOf(chat, chat.line);
  const others = chat.members.filter(({ handle }) => handle !== phone);
  return chat.name ?? (others.map(({ handle }) => nameOf(chat, handle)).join(", ") || "Group");
}
