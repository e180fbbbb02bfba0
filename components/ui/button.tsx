import { cva, type VariantProps } from "class-variance-authority";
import { Slot } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "@/lib/cn";

const buttonVariants = cva(
  "inline-flex shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap rounded-md font-medium text-sm transition-colors disabled:pointer-events-none disabled:opacity-50 aria-disabled:pointer-events-none aria-disabled:opacity-50 [&_svg:not([class*='size-'])]:size-4 [&_svg]:pointer-events-none [&_svg]:shrink-0",
  {
    variants: {
      variant: {
        default: "bg-primary text-primary-foreground shadow-xs hover:bg-primary/88",
        destructive: "bg-destructive text-destructive-foreground shadow-xs hover:bg-destructive/90",
        outline:
          "border border-foreground/18 bg-card text-foreground shadow-xs hover:bg-accent hover:text-accent-foreground",
        secondary: "bg-secondary text-secondary-foreground hover:bg-accent",
        ghost: "text-foreground hover:bg-accent hover:text-accent-foreground",
        link: "text-foreground underline decoration-muted-foreground/50 underline-offset-4 hover:decoration-foreground",
      },
      size: {
        default: "h-8.5 px-3.5 pointer-coarse:h-10",
        xs: "h-6 gap-1 rounded-sm px-2 text-xs pointer-coarse:h-8 [&_svg:not([class*='size-'])]:size-3",
        sm: "h-7.5 gap-1.5 px-2.5 text-[0.8125rem] pointer-coarse:h-9 [&_svg:not([class*='size-'])]:size-3.5",
        lg: "h-10 px-5",
        icon: "size-8.5 pointer-coarse:size-10",
        "icon-xs": "size-6 rounded-sm pointer-coarse:size-8 [&_svg:not([class*='size-'])]:size-3.5",
        "icon-sm": "size-7.5 pointer-coarse:size-9",
        "icon-lg": "size-10",
      },
    },
    defaultVariants: { variant: "default", size: "default" },
  },
);

type ButtonProps = ComponentProps<"button"> & VariantProps<typeof buttonVariants> & { asChild?: boolean };

function Button({ className, variant, size, asChild = false, ...props }: ButtonProps) {
  const Component = asChild ? Slot.Root : "button";
  return (
    <Component
      data-slot="button"
      data-variant={variant ?? "default"}
      className={cn(buttonVariants({ variant, size, className }))}
      {...(asChild ? {} : { type: "button" })}
      {...props}
    />
  );
}

export { Button, type ButtonProps, buttonVariants };
