"use client";

import dynamic from "next/dynamic";
import { useEffect, useState } from "react";
import { PaletteButton } from "@/components/shell/palette-button";

// Loaded when the search is first opened, so that pages of text stay small.
const DocsSearchDialog = dynamic(() =>
  import("@/components/docs/docs-search-dialog").then((module) => module.DocsSearchDialog),
);

/** The search of the documentation: a button, and Ctrl-K, Cmd-K or the slash key. */
export function DocsSearch() {
  const [open, setOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);

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
      {wasOpened && <DocsSearchDialog open={open} onOpenChange={change} />}
    </>
  );
}

function isEditing(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
