import type { ComponentProps } from "react";
import { Input } from "@/components/ui/input";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "@/lib/identity/users/password-rule";

/** An input for a new password. Its length is validated, and password managers suggest one. */
export function NewPasswordInput(props: Omit<ComponentProps<typeof Input>, "type">) {
  return (
    <Input
      type="password"
      autoComplete="new-password"
      required
      minLength={MIN_PASSWORD_LENGTH}
      maxLength={MAX_PASSWORD_LENGTH}
      {...props}
    />
  );
}
