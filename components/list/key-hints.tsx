import { Kbd } from "@/components/ui/kbd";

/** The keyboard shortcuts of a list. */
export function KeyHints({ canPause = false }: { canPause?: boolean }) {
  return (
    <p className="flex items-center gap-1.5 text-muted-foreground text-xs pointer-coarse:hidden max-sm:hidden">
      <Kbd>J</Kbd>
      <Kbd>K</Kbd> move, <Kbd>Enter</Kbd> open
      {canPause && (
        <>
          , <Kbd>P</Kbd> pause
        </>
      )}
    </p>
  );
}
