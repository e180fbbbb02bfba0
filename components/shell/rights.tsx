"use client";

import { createContext, type ReactNode, useContext } from "react";
import type { Right } from "@/lib/platform/right";

type Environment = "sandbox" | "production";

const Rights = createContext<readonly Right[]>([]);
const CurrentEnvironment = createContext<Environment>("production");

type RightsProviderProps = { rights: readonly Right[]; environment: Environment; children: ReactNode };

/** Provides the user's rights in the account, and the account's environment, to its children. */
export function RightsProvider({ rights, environment, children }: RightsProviderProps) {
  return (
    <CurrentEnvironment value={environment}>
      <Rights value={rights}>{children}</Rights>
    </CurrentEnvironment>
  );
}

/** Whether the account is a sandbox or a production account. */
export function useEnvironment(): Environment {
  return useContext(CurrentEnvironment);
}

/** Whether the user has a right. Only hides controls: the server enforces every right itself. */
export function useMay(): (right: Right) => boolean {
  const rights = useContext(Rights);
  return (right) => rights.includes(right);
}
