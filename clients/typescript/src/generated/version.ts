// Generated from package.json by `npm run generate`: change that file, not this one.

export const VERSION = "0.1.0";
