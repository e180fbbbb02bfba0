"use client";

import { CircleCheck, CircleX, Info, TriangleAlert } from "lucide-react";
import { useTheme } from "next-themes";
import { Toaster as Sonner, type ToasterProps, toast } from "sonner";
import { Spinner } from "@/components/ui/spinner";

function Toaster(props: ToasterProps) {
  const { resolvedTheme } = useTheme();
  return (
    <Sonner
      theme={resolvedTheme === "dark" ? "dark" : "light"}
      position="bottom-right"
      icons={{
        success: <CircleCheck className="size-4 text-success" />,
        info: <Info className="size-4 text-info" />,
        warning: <TriangleAlert className="size-4 text-warning" />,
        error: <CircleX className="size-4 text-destructive-text" />,
        loading: <Spinner />,
      }}
      toastOptions={{
        classNames: {
          toast: "font-sans! rounded-lg! border-border! bg-popover! text-popover-foreground! shadow-lg!",
          description: "text-muted-foreground!",
          actionButton: "bg-primary! text-primary-foreground!",
          cancelButton: "bg-secondary! text-secondary-foreground!",
          closeButton: "border-border! bg-popover! text-popover-foreground!",
        },
      }}
      {...props}
    />
  );
}

export { Toaster, toast };
