"use client";

import { Plus } from "lucide-react";
import { useRef } from "react";
import type { AttachMenuProps } from "@/components/composer/files/attach-menu";
import { FileInput } from "@/components/composer/files/file-input";
import { LazyOpen } from "@/components/data/lazy-open";
import { Button } from "@/components/ui/button";

const load = async () => (await import("@/components/composer/files/attach-menu")).AttachMenu;

type AttachButtonProps = Omit<AttachMenuProps, "onPick"> & { onFiles: (files: File[]) => void };

/** Opens the menu that adds files, a voice memo or a poll to a message. */
export function AttachButton({ onFiles, ...menu }: AttachButtonProps) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <FileInput ref={picker} label="Files to send" onChoose={onFiles} />
      <LazyOpen
        popup="menu"
        load={load}
        props={{ ...menu, onPick: () => picker.current?.click() }}
        trigger={
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label="Attach"
            title="Attach files, a voice memo or a poll"
          >
            <Plus />
          </Button>
        }
      />
    </>
  );
}
