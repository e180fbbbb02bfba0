import type { Transport } from "@/components/composer/draft";
import type { LoadedPopup } from "@/components/data/lazy-open";
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

export type TransportMenuProps = {
  lineType: "iMessage" | "RCS";
  transport: Transport | null;
  onChoose: (transport: Transport | null) => void;
};

/** Selects the preferred transport of a message. */
export function TransportMenu({ lineType, transport, onChoose, trigger }: TransportMenuProps & LoadedPopup) {
  const offered = OF_LINE[lineType];
  return (
    <DropdownMenu defaultOpen>
      <DropdownMenuTrigger asChild>{trigger}</DropdownMenuTrigger>
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
