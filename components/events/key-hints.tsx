import { Kbd } from "@/components/ui/kbd";

/** The keys that work in the log. */
export function KeyHints({ live }: { live: boolean }) {
  return (
    <p className="flex items-center gap-1.5 text-muted-foreground text-xs pointer-coarse:hidden max-sm:hidden">
      <Kbd>J</Kbd>
      <Kbd>K</Kbd> walk, <Kbd>Enter</Kbd> open
      {live && (
        <>
          , <Kbd>P</Kbd> pause
        </>
      )}
    </p>
  );
}
