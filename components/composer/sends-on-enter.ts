import type { KeyboardEvent } from "react";

/** keyCode of keys that an input method handles. Safari ends a composition before its last Enter, which only has this. */
const INPUT_METHOD_KEY = 229;

/** Whether an input method handles the key, for example to choose a word. */
export function isOfInputMethod({ nativeEvent }: KeyboardEvent): boolean {
  return nativeEvent.isComposing || nativeEvent.keyCode === INPUT_METHOD_KEY;
}

/** Whether a key sends or saves a text. Keyboards of phones have no Shift+Enter, so Enter starts a new line there. */
export function sendsText(event: KeyboardEvent): boolean {
  if (event.key !== "Enter" || event.shiftKey || isOfInputMethod(event)) return false;
  return !window.matchMedia("(pointer: coarse)").matches;
}
