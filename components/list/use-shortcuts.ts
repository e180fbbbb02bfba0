"use client";

import { useEffect, useEffectEvent } from "react";

type Action = (event: KeyboardEvent) => unknown;

/** Runs an action when its key (in lower case) is pressed, except in fields, menus and dialogs. */
export function useShortcuts(actions: Readonly<Record<string, Action | undefined>>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
    const action = actions[event.key.toLowerCase()];
    if (action === undefined) return;
    event.preventDefault();
    action(event);
  });

  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest(
      "input, textarea, select, [contenteditable], [role='combobox'], [role='listbox'], [role='dialog'], [role='alertdialog'], [role='menu']",
    ) !== null
  );
}

/**
 * Moves the focus from the focused or current row of a list to the next or previous one. Returns the newly focused
 * row.
 */
export function moveFocus(list: Element | null, by: 1 | -1): HTMLElement | undefined {
  const rows = [...(list?.querySelectorAll<HTMLElement>("[data-row]") ?? [])];
  const focused = rows.findIndex((row) => row.matches(":focus"));
  const place = focused === -1 ? rows.findIndex((row) => row.ariaCurrent === "true") : focused;
  const next = rows[place === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, place + by))];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
  return next;
}
