import { Ellipsis } from "lucide-react";
import { Button } from "@/components/ui/button";

/** The button of a message's menu. With a mouse, shown while the pointer is on the message. */
export const messageMenuTrigger = (
  <Button
    variant="ghost"
    size="icon-xs"
    aria-label="Message actions"
    className="text-muted-foreground focus-visible:opacity-100 group-hover/message:opacity-100 data-[state=open]:opacity-100 pointer-fine:opacity-0"
  >
    <Ellipsis />
  </Button>
);
