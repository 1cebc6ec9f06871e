// The set-up installs the browser from the system's packages; Puppeteer drives that one.
module.exports = { skipDownload: true };
