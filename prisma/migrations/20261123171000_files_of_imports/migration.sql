-- The name of the file that an opt-out or a block was imported from, as evidence.
ALTER TABLE "opt_outs" ADD COLUMN "source_file" TEXT
  CONSTRAINT "opt_outs_source_file_check" CHECK ("source_file" <> '');
ALTER TABLE "contacts" ADD COLUMN "blocked_file" TEXT
  CONSTRAINT "contacts_blocked_file_check" CHECK ("blocked_file" <> '');
