/**
 * Programs that run beside the server. The set-up installs them from system packages; this repository doesn't contain
 * them.
 */
export const PROGRAMS: readonly { readonly name: string; readonly licence: string; readonly use: string }[] = [
  { name: "Node.js", licence: "MIT, and the licences of its parts", use: "runs the server (npm package `node`)" },
  {
    name: "Chromium",
    licence: "BSD-3-Clause, and the licences of its parts",
    use: "the browser and its headless shell",
  },
  { name: "TigerVNC", licence: "GPL-2.0-or-later", use: "`Xvnc`, the desktop of a graphical browser" },
  { name: "Openbox", licence: "GPL-2.0-or-later", use: "the window manager of a graphical browser's desktop" },
  { name: "bubblewrap", licence: "LGPL-2.0-or-later", use: "`bwrap`, the sandbox around each browser" },
  { name: "util-linux", licence: "GPL-2.0-or-later", use: "`unshare`, which gives the broker its namespaces" },
  { name: "fontconfig", licence: "MIT-Modern-Variant", use: "the font cache" },
  { name: "Liberation fonts", licence: "OFL-1.1", use: "replace Arial, Times New Roman and Courier New" },
  { name: "Noto Color Emoji", licence: "OFL-1.1", use: "emoji" },
  { name: "WenQuanYi Zen Hei", licence: "GPL-2.0 with the font exception", use: "Chinese, Japanese and Korean" },
  { name: "Noto UI fonts", licence: "OFL-1.1", use: "scripts of South and Southeast Asia, and Arabic" },
  { name: "Abyssinica SIL", licence: "OFL-1.1", use: "Amharic and other languages of Ethiopia" },
  {
    name: "DejaVu fonts",
    licence: "Bitstream-Vera, and additions in the public domain",
    use: "Hebrew, Armenian and Georgian",
  },
];
