"use client";

import { useEffect, useLayoutEffect, useRef, useState } from "react";

const NEAR_PX = 80;

interface Shown {
  newestId: string | undefined;
  oldestId: string | undefined;
  /** The message that the user just sent. It is always scrolled into view. */
  sentId: string | undefined;
}

/**
 * Keeps a scrolling element at its end while the user is there, and keeps the scroll position when older entries are
 * added above. `unseen` is true when a new entry arrived while the user was further up.
 */
export function useStickToEnd({ newestId, oldestId, sentId }: Shown) {
  const box = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const before = useRef({ newestId, oldestId, height: 0 });
  const [unseen, setUnseen] = useState(false);

  function toEnd(): void {
    const element = box.current;
    if (element) element.scrollTop = element.scrollHeight;
    setUnseen(false);
  }

  // Runs after every render, because a status line may have grown.
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const was = before.current;
    if (was.oldestId !== oldestId && was.newestId === newestId && was.height > 0) {
      element.scrollTop += element.scrollHeight - was.height;
    } else if (atEnd.current || (was.newestId !== newestId && newestId === sentId)) {
      element.scrollTop = element.scrollHeight;
    } else if (was.newestId !== newestId) {
      setUnseen(true);
    }
    before.current = { newestId, oldestId, height: element.scrollHeight };
  });

  // An image that loads late makes the content taller without a render.
  useEffect(() => {
    const element = box.current;
    const content = element?.firstElementChild;
    if (!element || !content) return;
    const observer = new ResizeObserver(() => {
      if (atEnd.current) element.scrollTop = element.scrollHeight;
      before.current.height = element.scrollHeight;
    });
    observer.observe(content);
    return () => observer.disconnect();
  }, []);

  function onScroll(): void {
    const element = box.current;
    if (!element) return;
    atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX;
    if (atEnd.current) setUnseen(false);
  }

  return { box, onScroll, unseen, toEnd };
}
