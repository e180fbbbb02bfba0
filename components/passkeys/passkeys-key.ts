/** The query key of the user's own passkeys. */
export const passkeysKey = ["/api/session/passkeys"];
