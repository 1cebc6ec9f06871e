import manifest from "../../package.json" with { type: "json" };

const FOLDER = "/usr/lib/remote-browser-service";

/** Whether this is the installed Debian package, and not a clone. */
export const IS_INSTALLED = import.meta.dirname === FOLDER;

/** What `--version` prints. */
export const VERSION = manifest.version;

/** How operators call the command lines. The first two are names of one command. */
export const ADMIN_COMMAND = IS_INSTALLED ? "remote-browser-service admin" : "npm run -s admin --";
export const ACCOUNT_COMMAND = IS_INSTALLED ? "remote-browser-service account" : "npm run -s account --";
export const BACKUP_COMMAND = IS_INSTALLED ? "remote-browser-service backup" : "npm run -s backup";
export const DOCTOR_COMMAND = IS_INSTALLED ? "remote-browser-service doctor" : "npm run -s doctor";
export const START_COMMAND = IS_INSTALLED ? "remote-browser-service" : "npm start --";
