"use client";

import { type ComponentType, useEffect, useState } from "react";
import { loadToasts, onFirstToast } from "@/components/data/toast";
import { whenIdle } from "@/components/data/when-idle";

/** The region of the toasts, loaded when the browser is idle or with the first toast. */
export function LazyToaster() {
  const [Toaster, setToaster] = useState<ComponentType | null>(null);

  useEffect(() => {
    const mount = () =>
      void loadToasts().then(
        (loaded) => setToaster(() => loaded.Toaster),
        () => undefined,
      );
    onFirstToast(mount);
    const cancel = whenIdle(mount);
    return () => {
      onFirstToast(null);
      cancel();
    };
  }, []);

  return Toaster === null ? null : <Toaster />;
}
