import { ArrowUp } from "lucide-react";
import { Button } from "@/components/ui/button";

/** Announces rows that wait above the list, and shows them after a click. Takes no space in the layout. */
export function NewRows({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <div
      role="status"
      className="sticky top-[calc(var(--header-height)+0.75rem)] z-20 flex h-0 justify-center"
    >
      {count > 0 && (
        <Button size="sm" className="rounded-full shadow-lg" onClick={onShow}>
          <ArrowUp aria-hidden="true" />
          {count.toLocaleString("en")} new
        </Button>
      )}
    </div>
  );
}
