"use client";

import { Slot } from "radix-ui";
import { type ComponentType, type KeyboardEvent, type ReactElement, useState } from "react";

/** The props of a popup that `LazyOpen` loads. The popup opens at once. */
export type LoadedPopup = { trigger: ReactElement };

type LazyOpenProps<Props extends object> = {
  /** The button that opens the popup. */
  trigger: ReactElement;
  popup: "menu" | "dialog" | "listbox";
  load: () => Promise<ComponentType<Props & LoadedPopup>>;
  props: Props;
};

/**
 * A button whose popup is loaded when it is first opened, so that pages start without its code. The code is fetched when
 * the pointer or the focus reaches the button. If it cannot be loaded, the next click tries again.
 */
export function LazyOpen<Props extends object>({ trigger, popup, load, props }: LazyOpenProps<Props>) {
  const [Popup, setPopup] = useState<ComponentType<Props & LoadedPopup> | null>(null);
  if (Popup !== null) return <Popup {...props} trigger={trigger} />;

  const prepare = () => void load().catch(() => undefined);
  const open = () =>
    void load().then(
      (loaded) => setPopup(() => loaded),
      () => undefined,
    );

  function onKeyDown(event: KeyboardEvent): void {
    if (popup === "dialog" || (event.key !== "ArrowDown" && event.key !== "ArrowUp")) return;
    event.preventDefault();
    open();
  }

  return (
    <Slot.Root
      aria-haspopup={popup}
      aria-expanded={false}
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={open}
      onKeyDown={onKeyDown}
    >
      {trigger}
    </Slot.Root>
  );
}
