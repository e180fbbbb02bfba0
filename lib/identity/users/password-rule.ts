/** The minimum password length, checked by the form and by the server. */
export const PASSWORD_LENGTH_LEAST = 12;
export const MAX_PASSWORD_LENGTH = 200;
