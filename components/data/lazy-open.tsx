"use client";

import { Slot } from "radix-ui";
import {
  type ComponentType,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
import { replayKeys } from "@/components/data/replay-keys";

/** Keys that move, choose or search in a menu or list, or close it. */
const KEYS_OF_POPUPS = /^(.|Arrow(Down|Up)|Home|End|Enter|Escape)$/;

/** The props of a popup that `LazyOpen` loads. The popup opens at once. */
export type LoadedPopup = { trigger: ReactElement };

type LazyOpenProps<Props extends object> = {
  /** The button that opens the popup. */
  trigger: ReactElement;
  popup: "menu" | "dialog" | "listbox";
  load: () => Promise<ComponentType<Props & LoadedPopup>>;
  props: Props;
  /** Opens the popup without a click, for example because of the page's URL. */
  startsOpen?: boolean;
  /** Called when a click or a key opens the popup, before the popup is loaded. */
  onOpen?: () => void;
  /** Opens the popup when it changes to a positive number, again for each further one. */
  asked?: number;
};

/**
 * A button whose popup is loaded when it is first opened, so that pages start without its code. The code is fetched when
 * the pointer or the focus reaches the button. Keys that are pressed in the meantime reach the menu or list afterwards. If
 * the code cannot be loaded, the next click tries again.
 */
export function LazyOpen<Props extends object>(options: LazyOpenProps<Props>) {
  const { trigger, popup, load, props, startsOpen = false, asked = 0, onOpen } = options;
  const [Popup, setPopup] = useState<ComponentType<Props & LoadedPopup> | null>(null);
  // null until the popup is being opened.
  const pressed = useRef<string[] | null>(null);

  function open(keys: readonly string[]): void {
    if (pressed.current !== null) return;
    pressed.current = [...keys];
    onOpen?.();
    void load().then(
      (loaded) => setPopup(() => loaded),
      () => {
        pressed.current = null;
      },
    );
  }

  const isLoaded = Popup !== null;
  const isAsked = startsOpen || asked > 0;
  const onChange = useEffectEvent(() => {
    if (isLoaded) replayKeys(pressed.current ?? []);
    else if (isAsked) open([]);
  });
  useEffect(() => {
    if (isLoaded || isAsked) onChange();
  }, [isLoaded, isAsked]);

  // A popup opens when it is mounted: the key opens a loaded one again.
  if (Popup !== null) return <Popup key={asked} {...props} trigger={trigger} />;

  const prepare = () => void load().catch(() => undefined);

  // A click without a pointer comes from the keyboard, which moves to the first item of a menu.
  function onClick({ detail }: MouseEvent): void {
    open(popup === "menu" && detail === 0 ? ["ArrowDown"] : []);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const { key } = event;
    if (popup === "dialog" || event.metaKey || event.ctrlKey || event.altKey) return;
    if (pressed.current !== null) {
      if (!KEYS_OF_POPUPS.test(key)) return;
      pressed.current.push(key);
    } else if (/^Arrow(Down|Up)$/.test(key)) open(popup === "menu" ? [key] : []);
    else if (popup === "listbox" && /^[^ ]$/.test(key)) open([key]);
    else return;
    event.preventDefault();
  }

  return (
    <Slot.Root
      aria-haspopup={popup}
      aria-expanded={false}
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={onClick}
      onKeyDown={onKeyDown}
    >
      {trigger}
    </Slot.Root>
  );
}
