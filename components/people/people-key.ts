/** Under which the browser keeps the partner's people. */
export const peopleKey = ["people"];
