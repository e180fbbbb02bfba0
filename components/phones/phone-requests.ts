"use client";

import { toast } from "@/components/data/toast";
import { ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { Phone } from "@/lib/simulator/phone";

/** The properties of a phone that its user can change. */
export type PhoneSettings = Partial<
  Pick<Phone, "name" | "platform" | "connection" | "read_receipts" | "read_after_ms" | "delay_ms">
>;

export interface Reaction {
  message_id: string;
  part_index: number;
  operation: "add" | "remove";
  type: string;
  custom_emoji?: string;
}

interface Position {
  latitude: number;
  longitude: number;
  address?: string;
  locality?: string;
}

interface Written {
  chat_id: string | null;
  message_id: string | null;
}

/** Runs a change of the phone. Shows its error as a toast and returns null then. */
export async function attempt<Answer>(work: Promise<Answer>): Promise<Answer | null> {
  try {
    return await work;
  } catch (error) {
    toast.error(error instanceof ApiFailure ? errorText(error) : "The action failed. Try again.");
    return null;
  }
}

function errorText({ message, code }: ApiFailure): string {
  return code === undefined ? message : `${message} (${code})`;
}

/** The requests of one phone's user to the private API. They reject with ApiFailure. */
export function phoneRequests(phone: string) {
  const handle = encodeURIComponent(phone);
  return {
    change: (settings: PhoneSettings) =>
      apiFetch<Phone>("/api/phones", { method: "POST", body: { handle: phone, ...settings } }),
    addMagic: () => apiFetch<Phone>("/api/phones/magic-handles", { method: "POST", body: { handle: phone } }),
    write: (body: object) => apiFetch<Written>(`/api/phones/${handle}/messages`, { method: "POST", body }),
    edit: (body: { message_id: string; part_index: number; text: string }) =>
      apiFetch(`/api/phones/${handle}/edits`, { method: "POST", body }),
    unsend: (messageId: string) =>
      apiFetch(`/api/phones/${handle}/unsends`, { method: "POST", body: { message_id: messageId } }),
    react: (body: Reaction) => apiFetch(`/api/phones/${handle}/reactions`, { method: "POST", body }),
    read: (chatId: string) =>
      apiFetch(`/api/phones/${handle}/read`, { method: "POST", body: { chat_id: chatId } }),
    startTyping: (chatId: string) =>
      apiFetch(`/api/phones/${handle}/typing`, { method: "POST", body: { chat_id: chatId } }),
    stopTyping: (chatId: string) =>
      apiFetch(`/api/phones/${handle}/typing`, { method: "DELETE", body: { chat_id: chatId } }),
    vote: (body: { message_id: string; option_id: string; operation: "add" | "remove" }) =>
      apiFetch(`/api/phones/${handle}/votes`, { method: "POST", body }),
    addOption: (messageId: string, text: string) =>
      apiFetch(`/api/phones/${handle}/poll-options`, {
        method: "POST",
        body: { message_id: messageId, options: [{ text }] },
      }),
    addMember: (chatId: string, member: string) =>
      apiFetch(`/api/phones/${handle}/participants`, {
        method: "POST",
        body: { chat_id: chatId, handle: member },
      }),
    removeMember: (chatId: string, member: string) =>
      apiFetch(`/api/phones/${handle}/participants`, {
        method: "DELETE",
        body: { chat_id: chatId, handle: member },
      }),
    leave: (chatId: string) =>
      apiFetch(`/api/phones/${handle}/leave`, { method: "POST", body: { chat_id: chatId } }),
    rename: (chatId: string, name: string | null) =>
      apiFetch(`/api/phones/${handle}/group`, { method: "PUT", body: { chat_id: chatId, name } }),
    shareLocation: (body: { to: string; position: Position; ends_in_seconds?: number }) =>
      apiFetch(`/api/phones/${handle}/location`, { method: "POST", body }),
    moveLocation: (body: { to: string; position: Position }) =>
      apiFetch(`/api/phones/${handle}/location`, { method: "PATCH", body }),
    stopSharing: (to: string) =>
      apiFetch(`/api/phones/${handle}/location`, { method: "DELETE", body: { to } }),
  };
}

export type PhoneRequests = ReturnType<typeof phoneRequests>;
