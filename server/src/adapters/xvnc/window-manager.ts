import type { Sandbox } from "../../ports/sandboxes.ts";

const CONFIGURATION = ".openbox.xml";
const GTK_SETTINGS = ".config/gtk-3.0/settings.ini";

/**
 * Xvnc and, as soon as it takes windows, Openbox on it, in one jail. Xvnc says which number its display has to whoever
 * reads its standard output, and that is passed on first: nobody waits for Openbox, which is there long before a browser
 * has a window. Without Openbox, and after its end, the screen goes on; with Xvnc, all ends. The exit code that
 * is told is Xvnc's as long as it has not said its number.
 */
export const WITH_WINDOW_MANAGER = `
{ "$@"; echo "ended $?"; } | {
  read -r number || exit
  case $number in
    ended*) exit "\${number#ended }" ;;
    *[!0-9]* | "") exec cat ;;
  esac
  echo "$number"
  DISPLAY=":$number" exec openbox --sm-disable --config-file "$HOME/${CONFIGURATION}" </dev/null >&2
}`;

/**
 * What Openbox does, and nothing else: it puts a frame around pop-ups and dialogs to move, size and close them by, gives
 * the focus to what is new or clicked, and raises that. No key is taken from the pages, no menu and no program opens,
 * and nothing is hidden: there would be no way back.
 */
const OPENBOX = `<?xml version="1.0" encoding="UTF-8"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
  <focus><focusNew>yes</focusNew><followMouse>no</followMouse></focus>
  <placement><policy>Smart</policy><center>yes</center></placement>
  <theme>
    <name>Clearlooks</name>
    <titleLayout>LMC</titleLayout>
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
</openbox_config>
`;

/** Chromium draws the buttons of its main windows by itself, and asks GTK which: not the one that minimises. */
const GTK = "[Settings]\ngtk-decoration-layout=:maximize,close\n";

/** Writes what Openbox and the buttons of windows go by into the cell's folder. */
export async function configureWindows(cell: Sandbox): Promise<void> {
  await Promise.all([cell.writeFile(CONFIGURATION, OPENBOX), cell.writeFile(GTK_SETTINGS, GTK)]);
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
