import type { ComponentProps } from "react";
import { Input } from "@/components/ui/input";
import { PASSWORD_LENGTH_LEAST, PASSWORD_LENGTH_MOST } from "@/lib/identity/users/password-rule";

type NewPasswordInputProps = Omit<ComponentProps<typeof Input>, "onChange" | "type"> & {
  value: string;
  onChange: (value: string) => void;
};

/** Where a person types a password they choose: its length is checked, and password managers offer one. */
export function NewPasswordInput({ onChange, ...props }: NewPasswordInputProps) {
  return (
    <Input
      type="password"
      autoComplete="new-password"
      required
      minLength={PASSWORD_LENGTH_LEAST}
      maxLength={PASSWORD_LENGTH_MOST}
      onChange={(event) => onChange(event.target.value)}
      {...props}
    />
  );
}
