// Importing this file gives the test file a database and a folder of its own (lib/testing/each-test-file.ts).
export {};
