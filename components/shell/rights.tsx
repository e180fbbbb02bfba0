"use client";

import { createContext, type ReactNode, useContext } from "react";
import type { Right } from "@/lib/platform/right";

const Rights = createContext<readonly Right[]>([]);

/** Provides the user's rights in the account to its children. */
export function RightsProvider({ rights, children }: { rights: readonly Right[]; children: ReactNode }) {
  return <Rights value={rights}>{children}</Rights>;
}

/** Whether the user has a right. Only hides controls: the server enforces every right itself. */
export function useMay(): (right: Right) => boolean {
  const rights = useContext(Rights);
  return (right) => rights.includes(right);
}
