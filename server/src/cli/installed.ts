import manifest from "../../package.json" with { type: "json" };

const FOLDER = "/usr/lib/remote-browser-service";

/** Whether this is the installed Debian package, rather than a clone. */
export const IS_INSTALLED = import.meta.dirname === FOLDER;

/** The output of `--version`. */
export const VERSION = manifest.version;

/** The operators' commands. The first two are names of the same command. */
export const ADMIN_COMMAND = IS_INSTALLED ? "remote-browser-service admin" : "npm run -s admin --";
export const ACCOUNT_COMMAND = IS_INSTALLED ? "remote-browser-service account" : "npm run -s account --";
export const BACKUP_COMMAND = IS_INSTALLED ? "remote-browser-service backup" : "npm run -s backup";
export const DOCTOR_COMMAND = IS_INSTALLED ? "remote-browser-service doctor" : "npm run -s doctor";
export const START_COMMAND = IS_INSTALLED ? "remote-browser-service" : "npm start --";
