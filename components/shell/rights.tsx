"use client";

import { createContext, type ReactNode, useContext } from "react";
import type { Right } from "@/lib/platform/rights/right";

/** The account that the pages show. */
export type CurrentAccount = { name: string; environment: "sandbox" | "production" };

const Rights = createContext<readonly Right[]>([]);
const Account = createContext<CurrentAccount>({ name: "", environment: "production" });

const Sender = createContext("");

type RightsProviderProps = {
  rights: readonly Right[];
  account: CurrentAccount;
  /** The user in the account, as whom messages are sent. */
  sender: string;
  children: ReactNode;
};

/** Provides the user's rights in the account, and the account's name and environment, to its children. */
export function RightsProvider({ rights, account, sender, children }: RightsProviderProps) {
  return (
    <Account value={account}>
      <Sender value={sender}>
        <Rights value={rights}>{children}</Rights>
      </Sender>
    </Account>
  );
}

/** The name of the account, and whether it is a sandbox or a production account. */
export function useCurrentAccount(): CurrentAccount {
  return useContext(Account);
}

/** Whether the user has a right. Only hides controls: the server enforces every right itself. */
export function useMay(): (right: Right) => boolean {
  const rights = useContext(Rights);
  return (right) => rights.includes(right);
}

/** Identifies the user in the account, so that what one user wrote in this tab is never shown or sent by the next one. */
export function useSender(): string {
  return useContext(Sender);
}
