"use client";

import { useEffect, useLayoutEffect, useRef, useState } from "react";

const NEAR_PX = 80;

/**
 * The classes of a scrolling element that is at its end before any script runs. It has one child, with the entries.
 * Its `scrollTop` is 0 at the end and negative above it.
 */
export const FROM_END_CLASSES =
  "flex flex-col-reverse overflow-y-auto *:shrink-0 print:block print:overflow-visible";

interface Shown {
  newestId: string | undefined;
  /** The message that the user just sent. It is always scrolled into view. */
  sentId: string | undefined;
  /** The DOM id of the element to begin at, if not the end. */
  startId?: string | undefined;
}

/** How far a scrolling element with FROM_END_CLASSES is from its start, in pixels. */
export function fromStart({ scrollHeight, clientHeight, scrollTop }: HTMLElement): number {
  return scrollHeight - clientHeight + scrollTop;
}

/**
 * Keeps a scrolling element with FROM_END_CLASSES at its end while the user is there, and the user's place otherwise.
 * Entries that are added above move nothing, because `scrollTop` is counted from the end. `unseen` is true when a new
 * entry arrived while the user was further up.
 */
export function useStickToEnd({ newestId, sentId, startId }: Shown) {
  const box = useRef<HTMLDivElement>(null);
  const atEnd = useRef(startId === undefined);
  const before = useRef({ newestId, height: 0 });
  const [unseen, setUnseen] = useState(false);

  function toEnd(): void {
    if (box.current) box.current.scrollTop = 0;
    setUnseen(false);
  }

  useLayoutEffect(() => {
    const element = box.current;
    const was = before.current;
    if (!element || was.newestId === newestId) return;
    before.current = { newestId, height: element.scrollHeight };
    if (atEnd.current || newestId === sentId) {
      element.scrollTop = 0;
    } else {
      if (!keepsPlaceItself()) element.scrollTop -= element.scrollHeight - was.height;
      setUnseen(true);
    }
  }, [newestId, sentId]);

  useLayoutEffect(() => {
    if (startId !== undefined) document.getElementById(startId)?.scrollIntoView({ block: "center" });
  }, [startId]);

  // Content also grows without a new entry: a status line, an image that loads late.
  useEffect(() => {
    const element = box.current;
    const content = element?.firstElementChild;
    if (!element || !content) return;
    const observer = new ResizeObserver(() => {
      if (atEnd.current) element.scrollTop = 0;
      before.current.height = element.scrollHeight;
    });
    observer.observe(content);
    return () => observer.disconnect();
  }, []);

  function onScroll(): void {
    const element = box.current;
    if (!element) return;
    atEnd.current = -element.scrollTop < NEAR_PX;
    if (atEnd.current) setUnseen(false);
  }

  return { box, onScroll, unseen, toEnd };
}

// Safari doesn't adjust the scroll position when content outside the visible part grows.
function keepsPlaceItself(): boolean {
  return CSS.supports("overflow-anchor", "auto");
}
