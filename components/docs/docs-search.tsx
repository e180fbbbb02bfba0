"use client";

import dynamic from "next/dynamic";
import { useEffect, useState } from "react";
import { untilLoaded } from "@/components/data/until-loaded";
import { PaletteButton } from "@/components/shell/palette/palette-button";
import { useEarlyKeys } from "@/components/shell/palette/use-early-keys";
import { useHydrationMark } from "@/components/shell/use-hydration-mark";

// Loaded when the search is first opened, so that pages of text stay small. Without `loading`, the whole page would wait
// for it, and would not react to keys.
const DocsSearchDialog = dynamic(
  () => untilLoaded(async () => (await import("@/components/docs/docs-search-dialog")).DocsSearchDialog),
  { loading: () => null },
);

/** The search of the documentation: a button, and Ctrl-K, Cmd-K or the slash key. */
export function DocsSearch() {
  const [open, setOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const { early } = useEarlyKeys(open);
  useHydrationMark();

  function change(next: boolean): void {
    setOpen(next);
    if (next) setWasOpened(true);
  }

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const isShortcut = event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey);
      if (!isShortcut && !(event.key === "/" && !isEditing(event.target))) return;
      event.preventDefault();
      setOpen(true);
      setWasOpened(true);
    }
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);

  return (
    <>
      <PaletteButton onOpen={() => change(true)} label="Search the docs" />
      {wasOpened && <DocsSearchDialog open={open} onOpenChange={change} initialQuery={early.text} />}
    </>
  );
}

function isEditing(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
