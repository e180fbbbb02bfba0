"use client";

import { type ComponentType, useEffect, useEffectEvent, useState } from "react";
import { whenIdle } from "@/components/data/when-idle";
import type { ShellPaletteProps } from "@/components/shell/palette/shell-palette";
import { useEarlyKeys } from "@/components/shell/palette/use-early-keys";

type LazyPaletteProps = Omit<ShellPaletteProps, "initialQuery">;

/**
 * The command palette, loaded when the browser is idle or when it is first opened. Text and Enter that
 * are typed before then are not lost.
 */
export function LazyPalette({ open, onOpenChange, ...props }: LazyPaletteProps) {
  const [Palette, setPalette] = useState<ComponentType<ShellPaletteProps> | null>(null);
  const { early, forget } = useEarlyKeys(open);
  const isLoaded = Palette !== null;

  useEffect(() => {
    if (isLoaded) return;
    const load = () => void loadPalette().then((loaded) => loaded && setPalette(() => loaded));
    if (open) load();
    return whenIdle(load);
  }, [open, isLoaded]);

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    forget();
    onOpenChange(!open);
  });
  useEffect(() => {
    // The palette has its own shortcut once it is loaded.
    if (isLoaded) return;
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, [isLoaded]);

  const onEntered = useEffectEvent(forget);
  // The palette selects its first result while it renders.
  useEffect(() => {
    if (!isLoaded || !early.isEntered) return;
    const frame = requestAnimationFrame(() => {
      onEntered();
      document.querySelector<HTMLElement>("[cmdk-item][data-selected=true]")?.click();
    });
    return () => cancelAnimationFrame(frame);
  }, [isLoaded, early.isEntered]);

  return isLoaded ? (
    <Palette {...props} open={open} onOpenChange={onOpenChange} initialQuery={early.text} />
  ) : null;
}

/** null when the palette could not be loaded; opening it tries again. */
async function loadPalette(): Promise<ComponentType<ShellPaletteProps> | null> {
  const loaded = await import("@/components/shell/palette/shell-palette").catch(() => null);
  return loaded?.ShellPalette ?? null;
}
