"use client";

import { useEffect, useEffectEvent, useState } from "react";

/** Accepts files dropped anywhere on the page. Returns true while files are dragged over the page. */
export function useFileDrop(enabled: boolean, onFiles: (files: File[]) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const take = useEffectEvent(onFiles);

  useEffect(() => {
    if (!enabled) return;
    const holdsFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes("Files") ?? false;
    function over(event: DragEvent): void {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setIsOver(true);
    }
    function leave(event: DragEvent): void {
      if (event.relatedTarget === null) setIsOver(false);
    }
    function drop(event: DragEvent): void {
      setIsOver(false);
      if (!holdsFiles(event)) return;
      event.preventDefault();
      take([...(event.dataTransfer?.files ?? [])]);
    }
    window.addEventListener("dragover", over);
    window.addEventListener("dragleave", leave);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("dragover", over);
      window.removeEventListener("dragleave", leave);
      window.removeEventListener("drop", drop);
    };
  }, [enabled]);

  return isOver;
}
