// The server serves the package's file under this name.
export { Idiomorph } from "idiomorph";
