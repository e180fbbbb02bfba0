import { cva, type VariantProps } from "class-variance-authority";
import { Slot } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "@/lib/cn";

const badgeVariants = cva(
  "inline-flex w-fit shrink-0 items-center justify-center gap-1 overflow-hidden whitespace-nowrap rounded-full border border-transparent px-2 py-0.5 font-medium text-xs leading-4 [&>svg]:pointer-events-none [&>svg]:size-3 [&>svg]:shrink-0",
  {
    variants: {
      variant: {
        default: "bg-primary text-primary-foreground",
        secondary: "bg-secondary text-secondary-foreground",
        outline: "border-foreground/25 text-foreground",
        destructive: "bg-destructive-text/10 text-destructive-text",
        success: "bg-success/10 text-success",
        warning: "bg-warning-fill/20 text-warning dark:bg-warning-fill/12",
        info: "bg-info/10 text-info",
        neutral: "bg-muted-foreground/10 text-muted-foreground",
        imessage: "bg-service-imessage/10 text-service-imessage",
        rcs: "bg-service-rcs/10 text-service-rcs",
        sms: "bg-service-sms/10 text-service-sms",
      },
    },
    defaultVariants: { variant: "default" },
  },
);

type BadgeVariant = NonNullable<VariantProps<typeof badgeVariants>["variant"]>;
type BadgeProps = ComponentProps<"span"> & VariantProps<typeof badgeVariants> & { asChild?: boolean };

function Badge({ className, variant, asChild = false, ...props }: BadgeProps) {
  const Component = asChild ? Slot.Root : "span";
  return <Component data-slot="badge" className={cn(badgeVariants({ variant }), className)} {...props} />;
}

export { Badge, type BadgeVariant, badgeVariants };
