import { BatteryWarning } from "lucide-react";
import { Button } from "@/components/ui/button";

/** The screen of a phone with a dead battery. */
export function DeadScreen({ onCharge }: { onCharge: (() => void) | null }) {
  return (
    <div className="dark absolute inset-0 z-20 flex flex-col items-center justify-center gap-4 bg-black px-8 text-center text-foreground">
      <BatteryWarning className="size-14 text-destructive-text" strokeWidth={1.25} aria-hidden="true" />
      <p className="font-medium">Battery dead</p>
      <p className="text-muted-foreground text-sm">
        Messages to this phone stay sent and are never delivered, until the phone is charged.
      </p>
      {onCharge !== null && (
        <Button variant="secondary" size="sm" onClick={onCharge}>
          Charge phone
        </Button>
      )}
    </div>
  );
}
