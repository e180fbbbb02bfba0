import type { ComponentProps } from "react";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { cn } from "@/lib/cn";

/** An input with icons or buttons inside its border. */
function InputGroup({ className, ...props }: ComponentProps<"div">) {
  return (
    <div
      data-slot="input-group"
      className={cn(
        "flex h-8.5 w-full min-w-0 items-center rounded-md border border-input bg-card shadow-xs transition-colors has-[input:focus-visible]:border-ring has-[input[aria-invalid=true]]:border-destructive-text has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-ring pointer-coarse:h-10",
        className,
      )}
      {...props}
    />
  );
}

function InputGroupInput({ className, ...props }: ComponentProps<"input">) {
  return (
    <Input
      data-slot="input-group-control"
      className={cn(
        "h-full flex-1 rounded-none border-0 bg-transparent shadow-none focus-visible:outline-none pointer-coarse:h-full",
        className,
      )}
      {...props}
    />
  );
}

function InputGroupAddon({ className, ...props }: ComponentProps<"div">) {
  return (
    <div
      data-slot="input-group-addon"
      className={cn(
        "flex shrink-0 items-center gap-1 text-muted-foreground text-sm first:pl-3 last:pr-1.5 [&>svg]:size-4",
        className,
      )}
      {...props}
    />
  );
}

function InputGroupButton({ variant = "ghost", size = "icon-xs", ...props }: ComponentProps<typeof Button>) {
  return <Button data-slot="input-group-button" variant={variant} size={size} {...props} />;
}

export { InputGroup, InputGroupAddon, InputGroupButton, InputGroupInput };
