/** `/tokens?generate` opens the dialog that generates a token. */
export const GENERATE_PARAM = "generate";
