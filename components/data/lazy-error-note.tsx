"use client";

import dynamic from "next/dynamic";
import { useEffect } from "react";
import { untilLoaded } from "@/components/data/until-loaded";
import { whenIdle } from "@/components/data/when-idle";

const load = async () => (await import("@/components/data/error-note")).ErrorNote;

/** An `ErrorNote` whose code is not part of the page's first view. The page calls `useErrorNotes`. */
export const LazyErrorNote = dynamic(() => untilLoaded(load), { loading: () => null });

/** Loads the code of `LazyErrorNote` when the browser is idle: when an error is shown, nothing may be loadable. */
export function useErrorNotes(): void {
  useEffect(() => whenIdle(() => void load().catch(() => undefined)), []);
}
