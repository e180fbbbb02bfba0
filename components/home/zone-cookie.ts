/** The user's time zone. Set in the browser, and read by Home on the server unless the URL names one. */
export const zoneCookie = "trunkline-zone";
