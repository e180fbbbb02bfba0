/** The placeholder of a missing value. */
export function None() {
  return (
    <span className="text-muted-foreground">
      <span aria-hidden="true">–</span>
      <span className="sr-only">none</span>
    </span>
  );
}
