"use client";

import type { ComponentProps } from "react";
import { useAskedDialog } from "@/components/data/dialogs/use-asked-dialog";
import { LazyOpen } from "@/components/data/lazy-open";

type AddressedDialogProps<Props extends object> = Omit<
  ComponentProps<typeof LazyOpen<Props>>,
  "popup" | "asked"
> & {
  /** The name of the dialog in `?dialog=`; undefined while the address does not open it. */
  name: string | undefined;
};

/** A dialog that a button opens, and that other pages and the palette open with its address. */
export function AddressedDialog<Props extends object>({ name, ...open }: AddressedDialogProps<Props>) {
  const { times } = useAskedDialog(name);
  return <LazyOpen {...open} popup="dialog" asked={times} />;
}
