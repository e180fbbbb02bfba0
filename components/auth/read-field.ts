/**
 * The text of a form's field, or "" without such a field. Forms that are used right after the page has loaded read
 * their fields this way: text that was typed or filled in before hydration is not in React's state.
 */
export function readField(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === "string" ? value : "";
}
