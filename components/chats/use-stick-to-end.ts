"use client";

import { useLayoutEffect, useRef, useState } from "react";

const NEAR_PX = 80;

interface Shown {
  newestId: string | undefined;
  oldestId: string | undefined;
  /** What the reader has just sent: it is brought into view wherever they were. */
  sentId: string | undefined;
}

/**
 * Keeps a scrolling box at its end while the reader is there, and what is read where it is while older things are put
 * above. `unseen` says that something new came while the reader was further up.
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

  // After every drawing: a status line may have grown, too.
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

  function onScroll(): void {
    const element = box.current;
    if (!element) return;
    atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX;
    if (atEnd.current) setUnseen(false);
  }

  return { box, onScroll, unseen, toEnd };
}
