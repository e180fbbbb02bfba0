"use client";

import { KeyRound } from "lucide-react";
import { signIn } from "next-auth/react";
import { Button } from "@/components/ui/button";

type SingleSignOnButtonProps = {
  /** The path to open afterwards. */
  to: string;
  /** The name of the instance's single sign-on. Absent when it has none. */
  name: string | undefined;
  /** Absent = "Continue with <name>". */
  label?: string;
};

/** Signs in with the organization's single sign-on. */
export function SingleSignOnButton({ to, name, label }: SingleSignOnButtonProps) {
  if (name === undefined) {
    return <p>This instance has no single sign-on at present. Ask its operator.</p>;
  }
  return (
    <Button size="lg" onClick={() => void signIn("oidc", { callbackUrl: to })} className="w-full">
      <KeyRound />
      {label ?? `Continue with ${name}`}
    </Button>
  );
}
