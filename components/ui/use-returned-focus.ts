"use client";

import { useRef } from "react";

type FocusHandlers = {
  onOpenAutoFocus?: (event: Event) => void;
  onCloseAutoFocus?: (event: Event) => void;
};

/**
 * Handlers for the content of a dialog: closing it returns the focus to the element that had it before. By default only
 * dialogs with a trigger return it, to the trigger.
 */
export function useReturnedFocus({
  onOpenAutoFocus,
  onCloseAutoFocus,
}: FocusHandlers): Required<FocusHandlers> {
  const before = useRef<HTMLElement | null>(null);
  return {
    onOpenAutoFocus(event) {
      const { activeElement } = document;
      const isOutside = activeElement instanceof HTMLElement && !isWithin(activeElement, event.currentTarget);
      before.current = isOutside ? activeElement : null;
      onOpenAutoFocus?.(event);
    },
    onCloseAutoFocus(event) {
      onCloseAutoFocus?.(event);
      if (event.defaultPrevented) return;
      const { activeElement, body } = document;
      const hasMoved =
        activeElement !== null && activeElement !== body && !isWithin(activeElement, event.currentTarget);
      const element = before.current;
      const canReturn = element !== null && element !== body && element.isConnected;
      // A command of the palette may have opened another dialog, which keeps the focus.
      if (!hasMoved && !canReturn) return;
      event.preventDefault();
      if (!hasMoved) element?.focus();
    },
  };
}

function isWithin(element: Element, container: EventTarget | null): boolean {
  return container instanceof Node && container.contains(element);
}
