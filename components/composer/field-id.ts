/** The field in which messages are written, for who wants to go there. */
export const COMPOSER_FIELD_ID = "composer-field";
