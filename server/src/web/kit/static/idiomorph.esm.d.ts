// The server serves the npm package's file under this name.
export { Idiomorph } from "idiomorph";
