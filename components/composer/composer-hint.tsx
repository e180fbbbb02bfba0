/** How to send with the keyboard, below the composer. */
export function ComposerHint() {
  return <p className="pointer-coarse:hidden">Press Enter to send, Shift+Enter for a new line</p>;
}
