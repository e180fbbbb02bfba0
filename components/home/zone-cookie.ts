/** Set in the browser and read by Home on the server: the time zone of the person, used unless the address names one. */
export const zoneCookie = "trunkline-zone";
