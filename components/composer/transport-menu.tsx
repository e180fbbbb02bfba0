import { Route } from "lucide-react";
import type { Transport } from "@/components/composer/draft";
import { Button } from "@/components/ui/button";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";

const BEST = "best";
const OF_LINE: Record<"iMessage" | "RCS", Transport[]> = {
  iMessage: ["iMessage", "RCS", "SMS"],
  RCS: ["RCS", "SMS"],
};

type TransportMenuProps = {
  lineType: "iMessage" | "RCS";
  transport: Transport | null;
  onChoose: (transport: Transport | null) => void;
};

/** Selects the preferred transport of a message. */
export function TransportMenu({ lineType, transport, onChoose }: TransportMenuProps) {
  const offered = OF_LINE[lineType];
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button
          variant={transport === null ? "ghost" : "secondary"}
          size="sm"
          aria-label={`Transport: ${transport ?? "best available"}`}
          title="Transport"
        >
          <Route />
          {transport}
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="start" side="top">
        <DropdownMenuLabel>Send over</DropdownMenuLabel>
        <DropdownMenuRadioGroup
          value={transport ?? BEST}
          onValueChange={(value) => onChoose(offered.find((one) => one === value) ?? null)}
        >
          <DropdownMenuRadioItem value={BEST}>Best available</DropdownMenuRadioItem>
          {offered.map((one) => (
            <DropdownMenuRadioItem key={one} value={one}>
              {one}, if available
            </DropdownMenuRadioItem>
          ))}
        </DropdownMenuRadioGroup>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
