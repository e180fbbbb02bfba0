import { type RefObject, useEffect, useRef } from "react";

/** The ref of a list of links that scrolls sideways: the current link is in its middle, also after a navigation. */
export function useCurrentInView(current: string): RefObject<HTMLElement | null> {
  const list = useRef<HTMLElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another link is current after a navigation.
  useEffect(() => {
    const link = list.current?.querySelector<HTMLElement>("[aria-current=page]");
    if (!list.current || !link) return;
    const { left, width } = link.getBoundingClientRect();
    const box = list.current.getBoundingClientRect();
    list.current.scrollLeft += left - box.left - (box.width - width) / 2;
  }, [current]);

  return list;
}
