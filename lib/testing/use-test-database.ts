// Importing this file gives the test file its own database and folder (lib/testing/each-test-file.ts).
export {};
