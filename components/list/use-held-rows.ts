"use client";

import { useEffect, useEffectEvent, useState } from "react";
import { countHeld } from "@/components/list/held-rows";

/** A reader who has scrolled further than this, in CSS pixels, is reading. */
const READING_PX = 120;

/**
 * Holds new rows back while the reader has scrolled into the list, so that rows don't move under the reader. At the top
 * of the page the list follows again.
 */
export function useHeldRows<Row>(rows: Row[], rowKey: (row: Row) => string) {
  const [top, setTop] = useState<string | null>(null);
  const first = rows[0];
  const onScroll = useEffectEvent(() => {
    if (window.scrollY <= READING_PX) setTop(null);
    else if (top === null && first !== undefined) setTop(rowKey(first));
  });

  useEffect(() => {
    const follow = () => onScroll();
    window.addEventListener("scroll", follow, { passive: true });
    return () => window.removeEventListener("scroll", follow);
  }, []);

  const held = countHeld(rows, rowKey, top);
  return {
    shown: held === 0 ? rows : rows.slice(held),
    held,
    /** Shows the new rows at the top of the page. */
    release: () => {
      setTop(null);
      window.scrollTo({ top: 0 });
    },
  };
}
