import { retireOtherKeys } from "@/lib/operations/startup/check-encryption-key";
import { sealingKeyIds } from "@/lib/platform/crypto/crypto";
import { resealSecrets } from "@/lib/runtime/jobs/reseal-secrets";
import { ACCOUNT_COMMANDS } from "@/scripts/admin/account-commands";
import { BACKUP_COMMANDS, RESTORE_COMMANDS } from "@/scripts/admin/backup-commands";
import type { Commands } from "@/scripts/admin/command";
import { DOCTOR_COMMANDS } from "@/scripts/admin/doctor-command";
import { LINE_COMMANDS } from "@/scripts/admin/line-commands";
import { PERSON_COMMANDS } from "@/scripts/admin/person-commands";
import { TOKEN_COMMANDS } from "@/scripts/admin/token-commands";
import { USER_COMMANDS } from "@/scripts/admin/user-commands";

/** The help text: each command with its options. */
export const USAGE = `npm run admin -- <command>

  create-partner --name <name>
  create-account --partner <id> --name <name> --type sandbox|production
  rename-account --account <id> --name <name>
  archive-account --account <id>   refuses the account's tokens and stops its lines; its data stays readable
  restore-account --account <id>   restores an archived account
  create-line    --account <id> --number <E.164> --type iMessage|RCS [--transport simulator]
                 only sandbox accounts can use the simulator transport
  connect-line   --line <id> --file <settings.json>
                 stores the settings and secrets of the line's connection to its vendor, encrypted; prints the callback URL
  check-line     --line <id>
                 connects to the vendor of each connection of the line with the stored settings, and explains what is wrong;
                 changes nothing. Exit code 5: a connection does not work
  set-line-status --line <id> --status ACTIVE|FLAGGED
  create-user    --partner <id> --email <address> --name <name> [--role admin|developer|support|viewer]
  remove-user    --partner <id> --email <address>   also ends the person's sessions
  reset-password --email <address>   invalidates the password and ends the sessions; prints a link to set a new password
  unlink-sso --email <address>       unlinks the accounts of a person at the identity provider and ends the sessions
  remove-passkeys --email <address>  removes the passkeys of a person who lost them and ends the sessions
  set-sign-in-rules --partner <id> [--admins-need-passkey on|off] [--requires-sso on|off]
                 whether admins who sign in with a password must also use a passkey, and whether people must use single
                 sign-on; turn a rule off if no admin can sign in
  end-sessions   --email <address>   signs the person out everywhere
  create-token   --account <id> --name <name> [--expires 30|90|365|never] [--scopes messaging,read_only,payments]
                 [--addresses <CIDR>,…]   a token without scopes has full access
  roll-token     --token <id> [--overlap-hours 24]   creates a replacement; the old token works until the overlap ends
  revoke-token   --token <id>
  set-attachment-tier --account <id> --tier persistent|ephemeral [--number <E.164>]
                 applies to new files of an account or of one of its lines (a line also takes --tier account)
  set-account-options --account <id> --options <JSON>
                 sets limits, expiry and other options, for example {"daily_messages": 1000, "expires_at": null}, within 5 seconds;
                 {"checkout_clip": "active"} approves a production account's checkout app clip
  import-v2      <file.csv> --account <id>
                 imports V2 chat IDs. Columns: v2_chat_id and v3_chat_id (an ID or "not migratable"), or line and
                 handles (E.164 or email, separated by spaces), for a chat that is created on its first V2 request
  erase-person   --account <id> --handle <E.164 or email>
                 erases everything that the account stores about a person; amounts of payments stay, and an opt-out or block
                 stays in force under a hash of the handle
  export-person  --account <id> --handle <E.164 or email> --to <file.zip>   what the account stores about a person
  export-account --account <id> --to <file.zip>   every table as JSON lines, and all files, without secrets
  move-line      --line <id> --to <account id>
                 moves the number, its settings and its connection to another account of the partner; its chats stay readable in
                 the old account
  release-line   --line <id>   releases the number; its chats remain readable
  reseal         re-encrypts every stored secret with the first key of ENCRYPTION_KEY. To rotate: add the new key at the front
                 (ENCRYPTION_KEY=2:<new>,1:<old>), restart every process, reseal, remove the old key, restart again
  grant-operator  --email <address>   allows a user to operate this instance in the dashboard: assign and flag lines
  revoke-operator --email <address>   ends this access with the user's next request
  backup         [--to <folder>] [--keep 7]
                 backs up the database and uploaded files to a new folder below BACKUP_DIR while the instance runs, and removes
                 all but the newest backups (0 = keeps all); the ENCRYPTION_KEY is not included
  verify-backup  --from <backup>   restores the backup to a scratch database and counts its rows and files
  restore        --from <backup> --to <data directory>   restores to a new DATA_DIR; never overwrites an instance
  doctor         checks the settings, the directories, the database, migrations, the encryption key and the last backup, and
                 changes nothing; run it before an upgrade, with the new release. Exit code 5: a check failed
  list           lists partners, users, accounts, lines and tokens with their IDs

Commands use the database at DATABASE_URL or, without it, the embedded database in DATA_DIR.
`;

/** The commands that use the instance's database. */
export const COMMANDS: Commands = {
  ...ACCOUNT_COMMANDS,
  ...PERSON_COMMANDS,
  ...LINE_COMMANDS,
  ...USER_COMMANDS,
  ...TOKEN_COMMANDS,
  ...BACKUP_COMMANDS,
  reseal: async () => {
    const { resealed, unreadable } = await resealSecrets();
    await retireOtherKeys();
    const [first] = sealingKeyIds();
    const left = unreadable === 0 ? "" : `; ${unreadable} could not be decrypted with any key and were left`;
    return `${resealed} secrets re-encrypted with the key "${first}"${left}`;
  },
};

/** Commands that must not migrate the instance's database. */
export const COMMANDS_APART: Commands = { ...RESTORE_COMMANDS, ...DOCTOR_COMMANDS };
