"use client";

import { cva, type VariantProps } from "class-variance-authority";
import { Slot } from "radix-ui";
import { type ComponentProps, createContext, useContext, useId } from "react";
import { Label } from "@/components/ui/label";
import { cn } from "@/lib/cn";

type FieldIds = { control: string; description: string; error: string; invalid: boolean };

const FieldContext = createContext<FieldIds | null>(null);

function FieldSet({ className, ...props }: ComponentProps<"fieldset">) {
  return <fieldset data-slot="field-set" className={cn("flex flex-col gap-5", className)} {...props} />;
}

function FieldLegend({ className, ...props }: ComponentProps<"legend">) {
  return <legend data-slot="field-legend" className={cn("mb-3 font-medium text-sm", className)} {...props} />;
}

function FieldGroup({ className, ...props }: ComponentProps<"div">) {
  return <div data-slot="field-group" className={cn("flex w-full flex-col gap-5", className)} {...props} />;
}

const fieldVariants = cva("group/field flex w-full gap-2", {
  variants: {
    orientation: {
      vertical: "flex-col",
      horizontal: "flex-row items-center justify-between gap-4",
    },
  },
  defaultVariants: { orientation: "vertical" },
});

type FieldProps = ComponentProps<"div"> & VariantProps<typeof fieldVariants> & { invalid?: boolean };

/** One labeled control. Its FieldControl, FieldDescription and FieldError are linked by shared ids. */
function Field({ className, orientation, invalid = false, ...props }: FieldProps) {
  const id = useId();
  const ids = { control: id, description: `${id}-description`, error: `${id}-error`, invalid };
  return (
    <FieldContext value={ids}>
      <div
        data-slot="field"
        data-invalid={invalid || undefined}
        className={cn(fieldVariants({ orientation }), className)}
        {...props}
      />
    </FieldContext>
  );
}

function FieldLabel({ className, ...props }: ComponentProps<typeof Label>) {
  const field = useContext(FieldContext);
  return (
    <Label data-slot="field-label" htmlFor={field?.control} className={cn("w-fit", className)} {...props} />
  );
}

/** Sets the id and the aria attributes on its child that link it to the field's label and notes. */
function FieldControl(props: ComponentProps<typeof Slot.Root>) {
  const field = useContext(FieldContext);
  return (
    <Slot.Root
      id={field?.control}
      aria-describedby={field ? `${field.description} ${field.error}` : undefined}
      aria-invalid={field?.invalid || undefined}
      {...props}
    />
  );
}

function FieldDescription({ className, ...props }: ComponentProps<"p">) {
  const field = useContext(FieldContext);
  return (
    <p
      data-slot="field-description"
      id={field?.description}
      className={cn("text-[0.8125rem] text-muted-foreground leading-normal", className)}
      {...props}
    />
  );
}

function FieldError({ className, children, ...props }: ComponentProps<"p">) {
  const field = useContext(FieldContext);
  if (!children) return null;
  return (
    <p
      data-slot="field-error"
      role="alert"
      id={field?.error}
      className={cn("text-[0.8125rem] text-destructive-text leading-normal", className)}
      {...props}
    >
      {children}
    </p>
  );
}

export { Field, FieldControl, FieldDescription, FieldError, FieldGroup, FieldLabel, FieldLegend, FieldSet };
