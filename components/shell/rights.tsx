"use client";

import { createContext, type ReactNode, useContext } from "react";
import type { Right } from "@/lib/platform/right";

const Rights = createContext<readonly Right[]>([]);

/** Tells what is inside which rights the user has in the account. */
export function RightsProvider({ rights, children }: { rights: readonly Right[]; children: ReactNode }) {
  return <Rights value={rights}>{children}</Rights>;
}

/** Whether the user has a right: for what a page offers. The server refuses whatever is asked without it. */
export function useMay(): (right: Right) => boolean {
  const rights = useContext(Rights);
  return (right) => rights.includes(right);
}
