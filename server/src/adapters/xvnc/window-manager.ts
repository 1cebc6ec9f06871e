import { FULL_WINDOWS } from "../../ports/display.ts";
import type { Sandbox } from "../../ports/sandboxes.ts";

const CONFIGURATION = ".openbox.xml";
const DISPLAY_NUMBER = ".display-number";

/** File descriptor to which Xvnc writes its display number. */
export const DISPLAY_FD = 4;

/**
 * A shell script that execs Xvnc, and starts Openbox in the same sandbox once Xvnc has written its display number to a
 * pipe. The script prints the number first, so a launch doesn't wait for Openbox, which is ready long before a browser
 * has a window. If Openbox exits, the screen keeps working; if Xvnc exits, the screen and its programs end.
 */
export const WITH_WINDOW_MANAGER = `
mkfifo "$HOME/${DISPLAY_NUMBER}" || exit
{
  exec 3<&-
  read -r number <"$HOME/${DISPLAY_NUMBER}" || exit
  echo "$number"
  DISPLAY=":$number" exec openbox --sm-disable --config-file "$HOME/${CONFIGURATION}" </dev/null >&2
} &
exec "$@" ${DISPLAY_FD}>"$HOME/${DISPLAY_NUMBER}"`;

/**
 * Openbox adds frames to pop-ups and dialogs, so that viewers can move, resize and close them. It focuses and raises
 * new and clicked windows, but doesn't intercept keys, open menus, start programs, or minimize windows.
 *
 * Main windows have no frame. They fill the screen without being maximized, because Chromium ignores the first bounds
 * that a client sets for a maximized window.
 */
const OPENBOX = `<?xml version="1.0" encoding="UTF-8"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
  <focus><focusNew>yes</focusNew><followMouse>no</followMouse></focus>
  <placement><policy>Smart</policy><center>yes</center></placement>
  <theme>
    <name>Clearlooks</name>
    <titleLayout>LMC</titleLayout>
    <keepBorder>no</keepBorder>
    ${["ActiveWindow", "InactiveWindow"].map(toFont).join("")}
  </theme>
  <desktops><number>1</number><popupTime>0</popupTime></desktops>
  <resize><popupShow>Never</popupShow></resize>
  <keyboard/>
  <mouse>
    <dragThreshold>2</dragThreshold>
    <doubleClickTime>400</doubleClickTime>
    <context name="Titlebar">
      <mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
      <mousebind button="Left" action="Drag"><action name="Move"/></mousebind>
      <mousebind button="Left" action="DoubleClick"><action name="ToggleMaximize"/></mousebind>
    </context>
    ${["Top", "Bottom", "Left", "Right"].map(toEdge).join("\n    ")}
    <context name="TLCorner TRCorner BLCorner BRCorner">
      <mousebind button="Left" action="Drag"><action name="Resize"/></mousebind>
    </context>
    <context name="Client">
      ${["Left", "Middle", "Right"].map(toClick).join("\n      ")}
    </context>
    <context name="Maximize">
      <mousebind button="Left" action="Click"><action name="ToggleMaximize"/></mousebind>
    </context>
    <context name="Close">
      <mousebind button="Left" action="Click"><action name="Close"/></mousebind>
    </context>
  </mouse>
  <applications>
    <application role="browser"><decor>no</decor></application>
    <application role="browser" class="${FULL_WINDOWS}">
      <size><width>100%</width><height>100%</height></size>
    </application>
  </applications>
</openbox_config>
`;

/** Writes Openbox's configuration to the sandbox's folder. */
export async function configureWindows(sandbox: Sandbox): Promise<void> {
  await sandbox.writeFile(CONFIGURATION, OPENBOX);
}

function toEdge(name: string): string {
  const resize = `<action name="Resize"><edge>${name.toLowerCase()}</edge></action>`;
  return `<context name="${name}"><mousebind button="Left" action="Drag">${resize}</mousebind></context>`;
}

function toClick(button: string): string {
  return `<mousebind button="${button}" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>`;
}

function toFont(place: string): string {
  return `<font place="${place}"><name>sans</name><size>10</size></font>`;
}
