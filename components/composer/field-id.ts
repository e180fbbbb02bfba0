/** The DOM id of the message field, to focus it from elsewhere. */
export const COMPOSER_FIELD_ID = "composer-field";
