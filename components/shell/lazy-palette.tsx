"use client";

import { type ComponentType, useEffect, useEffectEvent, useState } from "react";
import { whenIdle } from "@/components/data/when-idle";
import type { ShellPaletteProps } from "@/components/shell/shell-palette";

type LazyPaletteProps = Omit<ShellPaletteProps, "initialQuery">;

/**
 * The command palette, loaded when the browser is idle or when it is first opened. Text and Enter that
 * are typed before then are not lost.
 */
export function LazyPalette({ open, onOpenChange, ...props }: LazyPaletteProps) {
  const [Palette, setPalette] = useState<ComponentType<ShellPaletteProps> | null>(null);
  const [typed, setTyped] = useState("");
  const [isEntered, setEntered] = useState(false);
  const isLoaded = Palette !== null;

  useEffect(() => {
    if (isLoaded) return;
    const load = () => void loadPalette().then((loaded) => loaded && setPalette(() => loaded));
    if (open) load();
    return whenIdle(load);
  }, [open, isLoaded]);

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const isModified = event.metaKey || event.ctrlKey || event.altKey;
    if (event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey)) {
      setTyped("");
      onOpenChange(!open);
      setEntered(false);
    } else if (open && event.key.length === 1 && !isModified) setTyped((text) => text + event.key);
    else if (open && event.key === "Enter") setEntered(true);
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    // The palette has its own shortcut once it is loaded.
    if (isLoaded) return;
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, [isLoaded]);

  // The palette selects its first result while it renders.
  useEffect(() => {
    if (!isLoaded || !isEntered) return;
    const frame = requestAnimationFrame(() => {
      setEntered(false);
      document.querySelector<HTMLElement>("[cmdk-item][data-selected=true]")?.click();
    });
    return () => cancelAnimationFrame(frame);
  }, [isLoaded, isEntered]);

  return isLoaded ? (
    <Palette {...props} open={open} onOpenChange={onOpenChange} initialQuery={typed} />
  ) : null;
}

/** null when the palette could not be loaded; opening it tries again. */
async function loadPalette(): Promise<ComponentType<ShellPaletteProps> | null> {
  const loaded = await import("@/components/shell/shell-palette").catch(() => null);
  return loaded?.ShellPalette ?? null;
}
