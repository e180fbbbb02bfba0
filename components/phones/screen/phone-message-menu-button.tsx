"use client";

import { messageMenuTrigger } from "@/components/chats/bubble/message-menu-trigger";
import { LazyOpen } from "@/components/data/lazy-open";
import type { PhoneMessageMenuProps } from "@/components/phones/screen/phone-message-menu";

const load = async () => (await import("@/components/phones/screen/phone-message-menu")).PhoneMessageMenu;

/** Opens the menu of a message on a phone. */
export function PhoneMessageMenuButton(props: PhoneMessageMenuProps) {
  return <LazyOpen popup="menu" load={load} props={props} trigger={messageMenuTrigger} />;
}
