#!/bin/sh
# sh scripts/run.sh SCOPE COMMAND [ARGUMENT…]: installs what the scope needs (scripts/setup.mjs), then becomes the
# command. Nothing is installed to print the help of a command, or the version.
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
# Commands print their results to standard output.
node scripts/setup.mjs --for "$scope" >&2 || exit
exec "$@"
