#!/bin/sh
# sh scripts/run.sh SCOPE COMMAND [ARGUMENT…]: installs the scope's requirements (scripts/setup.mjs), and then runs the
# command. Before --help and --version, it installs nothing.
scope=$1
shift
for argument; do
  case $argument in
    --) break ;;
    --version) exec node --print 'require("./package.json").version' ;;
    --help | -h)
      if [ -x node_modules/.bin/node ]; then exec "$@"; fi
      echo "Install the npm packages first: npm run setup -- --for dependencies" >&2
      exit 1
      ;;
  esac
done
# Stdout is for the command's own output.
node scripts/setup.mjs --for "$scope" >&2 || exit
exec "$@"
