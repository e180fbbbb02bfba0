"use client";

import { type ComponentProps, useEffect, useRef, useState } from "react";

type ScrollRegionProps = Omit<ComponentProps<"div">, "ref" | "aria-label"> & { label: string };

/** A scrolling element. It is focusable by keyboard only while its content overflows. */
export function ScrollRegion({ label, ...props }: ScrollRegionProps) {
  const region = useRef<HTMLDivElement>(null);
  const [overflows, setOverflows] = useState(false);

  useEffect(() => {
    const element = region.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      setOverflows(
        element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1,
      );
    });
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    return () => observer.disconnect();
  }, []);

  const keyboardStop = overflows ? { role: "group", "aria-label": label, tabIndex: 0 } : {};
  return <div ref={region} {...keyboardStop} {...props} />;
}
