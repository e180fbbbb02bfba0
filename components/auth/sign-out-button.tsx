"use client";

import { Button } from "@/components/ui/button";

/** Signs out, where there is no user menu to do it from. */
export function SignOutButton({ signOut }: { signOut: () => Promise<void> }) {
  async function leave(): Promise<void> {
    await signOut();
    location.assign("/sign-in");
  }

  return (
    <Button variant="outline" onClick={leave}>
      Sign out
    </Button>
  );
}
