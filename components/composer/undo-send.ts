/** Where the browser stores whether its user can take sent messages back. */
export const UNDO_SEND = "trunkline:undo-send";
export const UNDO_OFF = "off";

/** How long a message can be taken back. */
export const UNDO_MS = 5000;
