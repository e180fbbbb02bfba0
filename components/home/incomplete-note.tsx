/** Says that figures of lines lack what is not counted by line yet. */
export function IncompleteNote() {
  return (
    <p role="status" className="text-muted-foreground text-sm">
      Earlier messages and opt-outs are still being counted by line. These figures are not complete yet.
    </p>
  );
}
