import type { ComponentProps } from "react";
import { Input } from "@/components/ui/input";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "@/lib/identity/users/password-rule";

type NewPasswordInputProps = Omit<ComponentProps<typeof Input>, "onChange" | "type"> & {
  value: string;
  onChange: (value: string) => void;
};

/** An input for a new password. Its length is validated, and password managers suggest one. */
export function NewPasswordInput({ onChange, ...props }: NewPasswordInputProps) {
  return (
    <Input
      type="password"
      autoComplete="new-password"
      required
      minLength={MIN_PASSWORD_LENGTH}
      maxLength={MAX_PASSWORD_LENGTH}
      onChange={(event) => onChange(event.target.value)}
      {...props}
    />
  );
}
