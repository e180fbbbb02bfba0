/** Under which the browser keeps what it read of opt-outs. */
export const optOutsKey = ["opt-outs"];
